import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  NestedCostError,
  offerPrice,
  presentCost,
  storeCost,
  type CostMeta,
  type PresentedCost,
} from '../../../../src/plugins/the-events-calendar/model/cost.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const readJson = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(here, '../../..', file), 'utf8'));

const site = { symbol: '$', code: 'USD', reversePosition: false };

const stored = (input: unknown): CostMeta => {
  const { values, symbol, position } = storeCost(input);
  return { costs: values, symbol, position };
};
const written = (input: unknown): PresentedCost => presentCost(stored(input), site);

interface CostRow {
  input: unknown;
  output: { status: number } | { cost: string; symbol: string; position: string; values: string[] };
}

describe('measured costs', () => {
  test.each(readJson('examples/costs.json') as CostRow[])('$input', ({ input, output }) => {
    if ('status' in output) {
      expect(() => storeCost(input)).toThrow(NestedCostError);
      return;
    }
    const { cost, cost_details } = written(input);
    expect({
      cost,
      symbol: cost_details.currency_symbol,
      position: cost_details.currency_position,
      values: cost_details.values,
    }).toEqual(output);
  });
});

interface RecordedEvent extends PresentedCost {
  id: number;
  json_ld?: { offers?: { price: string; priceCurrency: string } };
}
interface Recorded {
  steps: { request: { body?: { cost?: unknown } }; response: { body: unknown } }[];
}

describe('recorded writes', () => {
  const { steps } = readJson('conformance/cases/write-event-cost.json') as Recorded;
  const rows = steps.map(({ request, response }) => ({ cost: request.body?.cost, answer: response.body as RecordedEvent }));
  test.each(rows)('$cost', ({ cost, answer }) => {
    expect(written(cost)).toEqual({ cost: answer.cost, cost_details: answer.cost_details });
  });
});

describe('recorded world', () => {
  const { events } = readJson('conformance/world.json') as {
    events: { id: number; post_password: string; meta: Record<string, string[]> }[];
  };
  const metaOf = (id: number): CostMeta => {
    const meta = events.find((event) => event.id === id)?.meta ?? {};
    return {
      costs: meta._EventCost ?? [],
      symbol: meta._EventCurrencySymbol?.[0],
      code: meta._EventCurrencyCode?.[0],
      position: meta._EventCurrencyPosition?.[0],
    };
  };
  const shown = ['event-single-bodies', 'events-full-page', 'events-full-page-admin']
    .flatMap((name) => (readJson(`conformance/cases/${name}.json`) as Recorded).steps.map(({ response }) => response.body))
    .flatMap((body) => (body as { events?: RecordedEvent[] }).events ?? [body as RecordedEvent])
    .filter((event) => typeof event.cost === 'string' && !hidden(event));

  // Responses about password-protected events may hide the cost.
  function hidden({ id, cost }: RecordedEvent): boolean {
    return cost === '' && Boolean(events.find((event) => event.id === id)?.post_password);
  }

  test('most events are covered', () => {
    expect(new Set(shown.map(({ id }) => id)).size).toBeGreaterThan(40);
  });

  test.each(shown)('event $id', (event) => {
    expect(presentCost(metaOf(event.id), site)).toEqual({ cost: event.cost, cost_details: event.cost_details });
    if (!event.json_ld) return;
    const offers = event.json_ld.offers;
    expect(offerPrice(metaOf(event.id), site)).toEqual(offers ? { price: offers.price, priceCurrency: offers.priceCurrency } : null);
  });
});

test.each([
  ['<i>$5</i>', '$5', '$', ''],
  ['$5, $15', '$15', '$', 'prefix'],
  ['free to $20', 'free to $20', 'free to $', 'prefix'],
  ['1,5 €', '$1,5', '', ''],
  [true, '$1', '', ''],
  [[5, '10'], '$5 – $10', '', ''],
  [{ 0: '$5', 1: '$8' }, '$5 – $8', '$', 'prefix'],
])('%j shows %s', (input, cost, symbol, position) => {
  expect(written(input)).toMatchObject({ cost, cost_details: { currency_symbol: symbol, currency_position: position } });
});

test.each([null, undefined, {}, [], 0, '0', '', false, ' '])('%j stores nothing', (input) => {
  expect(storeCost(input)).toEqual({ values: [], symbol: null, position: null });
});

test.each([
  [{ costs: ['10'], symbol: '€', position: 'suffix' }, '10€'],
  [{ costs: ['10'], symbol: '€', position: 'prefix' }, '€10'],
  [{ costs: ['10'], symbol: 'kr' }, '10kr'],
  [{ costs: ['5', '5.00'] }, '5.00£'],
  [{ costs: ['0', '10'] }, 'Free – 10£'],
])('%j on a site that puts £ last shows %s', (meta, cost) => {
  expect(presentCost(meta, { symbol: '£', code: 'GBP', reversePosition: true }).cost).toBe(cost);
});

test.each([
  ['$5-$10', '5 – 10'],
  ['Free', '0'],
  ['free', '0'],
  ['Free entry', 'Free entry'],
  [['0', '10'], 'Free – 10'],
  ['10€', '10'],
  ['1,000', '1,000'],
  ['A & B', 'A &amp; B'],
])('offer of %j is %s', (input, price) => {
  expect(offerPrice(stored(input), site)).toEqual({ price, priceCurrency: 'USD' });
});

test('an event without cost has no offer; its own currency code wins', () => {
  expect(offerPrice({ costs: [], code: 'EUR' }, site)).toBeNull();
  expect(offerPrice({ costs: ['7.50'], code: 'EUR' }, site)).toEqual({ price: '7.50', priceCurrency: 'EUR' });
});
