import { offerPrice, presentCost, type CostMeta, type CurrencyDefaults } from '../../../tec/cost.js';
import type { CostDetails } from '../../../types.js';
import { unescaped } from './unrender.js';

/** What a site shows of the cost of an event. */
export interface ShownCost {
  cost: string;
  cost_details: CostDetails;
  /** `json_ld.offers`, where it is known. */
  offer?: { price: string; priceCurrency: string };
}

const NUMBER = /^[\d.]+$/;

const grouped = (value: string): string =>
  value.replace(/^(\d+?)((?:\d{3})+)(?=\.|$)/, (_, first: string, rest: string) => first + rest.replace(/(\d{3})/g, ',$1'));

/** Ways in which an amount may have been typed that is shown so in the details. */
const spellings = (value: string): string[] =>
  NUMBER.test(value) ? [...new Set([value, value.replace('.', ','), grouped(value)])] : [value];

/** How many combinations of spellings are tried at most. */
const MOST = 729;

/** All combinations of one choice each, as long as they are not too many. */
function combinations(choices: readonly string[][]): string[][] {
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (count > MOST) return [choices.map(([first]) => first), choices.map((each) => each.at(-1) ?? '')];
  return choices.reduce<string[][]>((rows, each) => rows.flatMap((row) => each.map((value) => [...row, value])), [[]]);
}

/**
 * Rows of `_EventCost` that are shown as a site shows the cost of an event, and whether they really are. The details name every amount in
 * one spelling; which one was typed decides what counts as highest and lowest (TEC), so the likely ones are tried.
 * @param raw the first row, where the site tells it
 */
export function storedCost(shown: ShownCost, defaults: CurrencyDefaults, raw = ''): { costs: string[]; exact: boolean } {
  const { values, currency_symbol: symbol, currency_position: position, currency_code: code } = shown.cost_details;
  if (shown.cost === '' && values.length === 0) return { costs: [], exact: true };
  const text = unescaped(shown.cost);
  const known = symbol || defaults.symbol;
  const guesses = [
    ...(raw === '' ? [] : [[raw]]),
    ...combinations(values.map(spellings)),
    [text],
    [text.replaceAll(known, '')],
    ...combinations(values.map((value) => [...spellings(value), text])).slice(0, MOST),
    ...(values.length > 1 ? [] : [['0.00'], ['0']]),
  ];
  const meta = (costs: string[]): CostMeta => ({ costs, symbol, position, code });
  const costs = guesses.find((guess) => isShownAs(meta(guess), shown, defaults));
  return costs ? { costs, exact: true } : { costs: guesses[0], exact: false };
}

function isShownAs(meta: CostMeta, shown: ShownCost, defaults: CurrencyDefaults): boolean {
  const made = presentCost(meta, defaults);
  if (made.cost !== shown.cost || made.cost_details.values.join('\n') !== shown.cost_details.values.join('\n')) return false;
  return shown.offer === undefined || offerPrice(meta, defaults)?.price === shown.offer.price;
}
