import type { FieldValues } from './fields.js';

/** The currency of an item or of the site. */
export interface DatasetCurrencyOf {
  symbol?: string;
  code?: string;
  position?: 'prefix' | 'postfix';
}

/** A stored price: the cost rows, and the currency if known. */
export interface Price extends DatasetCurrencyOf {
  values: string[];
}

const SYMBOL_FIRST = /(\p{Sc})\s*\d/u;
const SYMBOL_LAST = /\d\s*(\p{Sc})/u;

/**
 * Reads the price of an event: a number, a string or several of them. A currency symbol next to an amount (`€12`, `100 ₹`) sets the
 * currency unless `currency` does; other currencies (`kr`, `CHF`) are not recognized and must be set.
 */
export function readPrice(cost: unknown, currency: DatasetCurrencyOf = {}): Price {
  const values = [cost]
    .flat()
    .filter((value) => value !== undefined && value !== '')
    .map(String);
  const first = values.map((value) => SYMBOL_FIRST.exec(value)?.[1]).find((symbol) => symbol !== undefined);
  const last = values.map((value) => SYMBOL_LAST.exec(value)?.[1]).find((symbol) => symbol !== undefined);
  if (first !== undefined) return { values, symbol: first, position: 'prefix', ...currency };
  if (last !== undefined) return { values, symbol: last, position: 'postfix', ...currency };
  return { values, ...currency };
}

/** The event field values of a price. */
export function priceValues(cost: unknown, currency: DatasetCurrencyOf = {}): FieldValues {
  const { values, symbol, code, position } = readPrice(cost, currency);
  return { cost: values, currency_symbol: symbol, currency_code: code, currency_position: position };
}
