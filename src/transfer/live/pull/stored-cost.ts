import {
  offerPrice,
  presentCost,
  type CostFormat,
  type CostMeta,
  type CurrencyDefaults,
} from '../../../plugins/the-events-calendar/model/cost.js';
import type { CostDetails, Event, OfferJsonLd } from '../../../sdk/types/responses.js';
import { unescapedHtml } from './unrender.js';

/** The cost of an event as the API shows it. */
interface ShownCost {
  cost: string;
  cost_details: CostDetails;
  /** `json_ld.offers`, if known. */
  offer?: { price: string; priceCurrency: string };
}

const NUMBER = /^[\d.]+$/;

const grouped = (value: string): string =>
  value.replace(/^(\d+?)((?:\d{3})+)(?=\.|$)/, (_, first: string, rest: string) => first + rest.replace(/(\d{3})/g, ',$1'));

/** Possible stored spellings of an amount in the cost details. */
const spellings = (value: string): string[] =>
  NUMBER.test(value) ? [...new Set([value, value.replace('.', ','), grouped(value)])] : [value];

/** Maximum number of combinations of spellings to try. */
const MAX_COMBINATIONS = 729;

/** All combinations of one choice each; if there are too many, only the combinations of the first and of the last choices. */
function combinations(choices: readonly string[][]): string[][] {
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (count > MAX_COMBINATIONS) return [choices.map(([first]) => first), choices.map((each) => each.at(-1) ?? '')];
  return choices.reduce<string[][]>((rows, each) => rows.flatMap((row) => each.map((value) => [...row, value])), [[]]);
}

/**
 * Finds rows of `_EventCost` that are displayed as the site displays the cost of an event. The details show each amount in one spelling. TEC:
 * the stored spelling decides which amounts are lowest and highest, so the likely spellings are tried.
 * @param raw the first row, if the site shows it
 * @param format how a plugin of the site formats costs
 * @returns the rows, and whether they are displayed exactly like the original
 */
export function storedCost(
  shown: ShownCost,
  defaults: CurrencyDefaults,
  raw = '',
  format?: CostFormat,
): { costs: string[]; exact: boolean } {
  const { values, currency_symbol: symbol, currency_position: position, currency_code: code } = shown.cost_details;
  if (shown.cost === '' && values.length === 0) return { costs: [], exact: true };
  const text = unescapedHtml(shown.cost);
  const known = symbol || defaults.symbol;
  const guesses = [
    ...(raw === '' ? [] : [[raw]]),
    ...combinations(values.map(spellings)),
    [text],
    [text.replaceAll(known, '')],
    ...combinations(values.map((value) => [...spellings(value), text])).slice(0, MAX_COMBINATIONS),
    ...(values.length > 1 ? [] : [['0.00'], ['0']]),
  ];
  const meta = (costs: string[]): CostMeta => ({ costs, symbol, position, code });
  const costs = guesses.find((guess) => isShownAs(meta(guess), shown, defaults, format));
  return costs ? { costs, exact: true } : { costs: guesses[0], exact: false };
}

function isShownAs(meta: CostMeta, shown: ShownCost, defaults: CurrencyDefaults, format: CostFormat | undefined): boolean {
  const made = presentCost(meta, defaults, format);
  if (made.cost !== shown.cost || made.cost_details.values.join('\n') !== shown.cost_details.values.join('\n')) return false;
  return shown.offer === undefined || offerPrice(meta, defaults)?.price === shown.offer.price;
}

/** The offer of an event itself. The offers of its tickets say nothing of its cost. */
export function offerOf(single: Event | undefined): OfferJsonLd | undefined {
  const offers = single?.json_ld?.offers;
  return Array.isArray(offers) ? undefined : offers;
}

/** Infers the default currency of a site from events that have no currency. */
export class CurrencyGuess {
  private symbol: string | undefined;
  private position: 'prefix' | 'postfix' | undefined;
  private code: string | undefined;

  add(event: Event, single: Event | undefined): void {
    const { currency_symbol: symbol, currency_position: position, currency_code: code, values } = event.cost_details;
    const [value] = values;
    const offer = offerOf(single);
    if (code === '' && offer !== undefined) this.code ??= offer.priceCurrency;
    if (values.length !== 1 || !/^\d+$/.test(value) || !/\d/.test(event.cost)) return;
    const found = /^(\D*)[\d.,]+(\D*)$/.exec(unescapedHtml(event.cost));
    if (!found) return;
    if (position === '' && (found[1] === '') !== (found[2] === '')) this.position ??= found[1] === '' ? 'postfix' : 'prefix';
    if (symbol === '') this.symbol ??= found[1] + found[2];
  }

  /** The inferred currency, with the plugin's defaults for unknown parts. */
  get found(): CurrencyDefaults {
    return { symbol: this.symbol ?? '$', code: this.code ?? 'USD', reversePosition: this.position === 'postfix' };
  }
}
