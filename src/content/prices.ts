import type { Values } from './fields.js';

/** A currency as an item or the site says it. */
export interface Currency {
  symbol?: string;
  code?: string;
  position?: 'prefix' | 'postfix';
}

/** What is stored of a price: the rows of the cost, and the currency as far as it is known. */
export interface Price extends Currency {
  values: string[];
}

const SYMBOL_FIRST = /(\p{Sc})\s*\d/u;
const SYMBOL_LAST = /\d\s*(\p{Sc})/u;

/**
 * Reads the price of an event: a number, a text or several of them. A currency sign beside an amount (`€12`, `100 ₹`) is that of
 * the event unless `currency` names one; any other currency (`kr`, `CHF`) has to be named.
 */
export function readPrice(cost: unknown, currency: Currency = {}): Price {
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

/** The values of an event with a price. */
export function priceValues(cost: unknown, currency: Currency = {}): Values {
  const { values, symbol, code, position } = readPrice(cost, currency);
  return { cost: values, currency_symbol: symbol, currency_code: code, currency_position: position };
}
