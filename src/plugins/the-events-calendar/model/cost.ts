import { isEmpty, isNumeric, toStr } from '../../../base/php/cast.js';
import { escHtml } from '../../../wordpress/formatting/entities.js';
import { cleanMetaText, sanitizeTitle } from '../../../wordpress/formatting/sanitize.js';
import { phpTrim } from '../../../wordpress/formatting/strip-tags.js';

/** Stored form of `cost`: rows of `_EventCost`, and the one row (null: none) of `_EventCurrencySymbol` and `_EventCurrencyPosition`. */
export interface StoredCost {
  values: string[];
  symbol: string | null;
  position: 'prefix' | 'postfix' | null;
}

/** The stored rows of an event. Empty texts count as absent. */
export interface CostMeta {
  costs: readonly string[];
  symbol?: string | null;
  code?: string | null;
  position?: string | null;
}

/** Currency settings of the site (TEC options). */
export interface CurrencyDefaults {
  symbol: string;
  code: string;
  /** Shows the symbol after the amount. */
  reversePosition: boolean;
}

export interface PresentedCost {
  cost: string;
  cost_details: { currency_symbol: string; currency_code: string; currency_position: string; values: string[] };
}

/** A `cost` that holds arrays within an array. TEC: a crash; here an error of the parameter. */
export class NestedCostError extends Error {
  constructor() {
    super('cost must be a text, a number or a list of these');
    this.name = 'NestedCostError';
  }
}

const PIECE = /[,.]?\d+[,.]?\d*/g;
const INNER_DECIMALS = /^[,.]?\d+[,.](\d*)$/;
const FREE = 'Free';
/** Range of numbers that JavaScript can format; larger amounts compare as equal. */
const MAX_DECIMALS = 100;

/**
 * The rows for `cost` (any JSON value). Values are stripped of tags and trimmed; falsy input and blank values have no rows.
 * @throws NestedCostError for arrays within an array
 */
export function storeCost(input: unknown): StoredCost {
  if (isEmpty(input)) return { values: [], symbol: null, position: null };
  const values = inputValues(input)
    .map((value) => cleanMetaText(value))
    .filter((value) => phpTrim(value) !== '');
  return { values, ...inferCurrency(input) };
}

function inputValues(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [toStr(input)];
  return Object.values(input).map((value: unknown) => {
    if (typeof value === 'object' && value !== null) throw new NestedCostError();
    return toStr(value);
  });
}

/**
 * The currency symbol is the text that every part of the raw input has besides its amount. TEC: a text is split at each comma, and the n-th
 * amount of the whole input is removed from the n-th part, so `$5-$10` and `$1,000` have no symbol.
 */
function inferCurrency(input: unknown): Pick<StoredCost, 'symbol' | 'position'> {
  const none = { symbol: null, position: null };
  const parts = currencyParts(input);
  const part = (index: number): string => phpTrim(parts[String(index)] ?? '');
  const found = Object.values(parts)
    .flatMap(pieces)
    // TEC: words beside amounts are ignored, but counted.
    .flatMap((piece, index) => (/\d/.test(piece) ? [{ text: part(index), rest: phpTrim(part(index).replaceAll(piece, '')) }] : []));
  const [first] = found;
  if (!first?.rest || found.some(({ rest }) => rest !== first.rest)) return none;
  const symbol = cleanMetaText(first.rest);
  if (!symbol) return none;
  const at = first.text.indexOf(first.rest);
  if (at < 0) return { symbol, position: null };
  return { symbol, position: at === 0 ? 'prefix' : 'postfix' };
}

/** The parts by their index in PHP: members of an object have no index unless their name is a number. */
function currencyParts(input: unknown): Record<string, string> {
  const parts = typeof input === 'object' && input !== null ? input : toStr(input).split(',');
  return Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, toStr(part)]));
}

/** The amounts in a text, or the text itself if it has none; empty for a blank text. */
function pieces(text: string): string[] {
  const trimmed = phpTrim(text);
  return trimmed === '' ? [] : (trimmed.match(PIECE) ?? [trimmed]);
}

const withPeriods = (piece: string): string => piece.replaceAll(',', '.');

/** All pieces of the stored values, ascending, one per amount: of equal amounts the later one. Words count as 0 and keep their order. */
function sortPieces(costs: readonly string[]): readonly string[] {
  const all = costs.flatMap(pieces);
  const longest = all.reduce((length, piece) => Math.max(length, INNER_DECIMALS.exec(piece)?.[1]?.length ?? 0), 0);
  const decimals = Math.min(longest, MAX_DECIMALS);
  const byKey = new Map(all.map((piece) => [sortKey(piece, decimals), piece]));
  const weight = (key: string): number => (isNumeric(key) ? Number(key) : 0);
  return [...byKey].sort(([a], [b]) => weight(a) - weight(b)).map(([, piece]) => piece);
}

/** Recent results: few costs differ. */
const sortedBefore = new Map<string, readonly string[]>();
const MOST_SORTED = 1_000;

function sortedPieces(costs: readonly string[]): readonly string[] {
  const key = JSON.stringify(costs);
  const known = sortedBefore.get(key);
  if (known) return known;
  if (sortedBefore.size >= MOST_SORTED) sortedBefore.clear();
  const sorted = sortPieces(costs);
  sortedBefore.set(key, sorted);
  return sorted;
}

const formats = new Map<number, Intl.NumberFormat>();

function formatWith(decimals: number): Intl.NumberFormat {
  const known = formats.get(decimals);
  if (known) return known;
  const made = new Intl.NumberFormat('en-US', { useGrouping: false, minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(decimals, made);
  return made;
}

/** An amount that a number holds exactly as written: it has up to 15 digits. */
const PLAIN = /^(?=[\d.]{1,16}$)(\d{1,15})(?:\.(\d+))?$/;

/** TEC: amounts are compared as whole numbers, padded to the longest decimals of the event. */
function sortKey(piece: string, decimals: number): string {
  const text = withPeriods(piece);
  if (!isNumeric(text)) return sanitizeTitle(text);
  const [, whole, fraction = ''] = PLAIN.exec(text) ?? [];
  // The first format of a process takes longer than the rest of a list.
  if (whole !== undefined && fraction.length <= decimals) return `${Number(whole)}${fraction.padEnd(decimals, '0')}`;
  return formatWith(decimals).format(Number(text)).replace('.', '');
}

/** A piece as `cost_details.values` has it: a decimal number with a period, or a slug. */
function detailValue(piece: string): string {
  if (!/^[\d.,]+$/.test(piece)) return sanitizeTitle(piece);
  const kinds = new Set(piece.match(/[.,]/g));
  const lastGroup = /[.,](\d*)$/.exec(piece)?.[1] ?? '';
  // Exactly three digits after the separator, or both kinds of it, are read as English does: the comma groups thousands.
  const value = kinds.size > 1 || lastGroup.length === 3 ? piece.replaceAll(',', '') : withPeriods(piece);
  return isNumeric(value) ? value : sanitizeTitle(withPeriods(piece));
}

/** The values of a cost as `cost_details` has them, lowest first. */
const costValues = (costs: readonly string[]): string[] => [...new Set(sortedPieces(costs).map(detailValue))];

/**
 * Lowest and highest piece as shown. TEC: with several pieces, only those that are numeric in PHP count, so those with a comma are ignored.
 */
function bounds(sorted: readonly string[]): string[] {
  const only = sorted[0];
  if (sorted.length === 1 && only !== undefined) return [only];
  const numbers = sorted.filter((piece) => isNumeric(piece));
  const low = numbers.at(0) ?? '0';
  const high = numbers.at(-1) ?? low;
  return low === high ? [low] : [low, high];
}

const isZero = (piece: string): boolean => isNumeric(withPeriods(piece)) && Number(withPeriods(piece)) === 0;

/** An amount as a number. TEC: `Free` is 0; other words stay words. */
function boundOf(piece: string): number | string {
  const value = detailValue(piece);
  if (piece === FREE) return 0;
  return isNumeric(value) ? Number(value) : piece;
}

/** The lowest and the highest cost of an event, or the only one; none if it has no cost. */
export function costBounds(costs: readonly string[]): (number | string)[] {
  const sorted = sortedPieces(costs);
  return sorted.length === 0 ? [] : bounds(sorted).map(boundOf);
}

function range(costs: readonly string[], amount: (piece: string) => string): string {
  const sorted = sortedPieces(costs);
  if (!sorted.length) return '';
  const shown = bounds(sorted).map((piece) => {
    if (isZero(piece)) return FREE;
    return /^[\d.,]+$/.test(piece) ? amount(piece) : piece;
  });
  return escHtml([...new Set(shown)].join(' – '));
}

/**
 * Symbol and code of the currency of an event: its own, or the site's. The code of the site is not used with the symbol of another
 * currency.
 */
export function currencyOf(meta: CostMeta, site: CurrencyDefaults): { symbol: string; code: string } {
  const symbol = meta.symbol || site.symbol;
  return { symbol, code: meta.code || (symbol === site.symbol ? site.code : '') };
}

/** How a plugin formats costs. */
export interface CostFormat {
  /** Formats an amount, with its symbol. @param piece as stored: `12,50` */
  amount: (piece: string) => string;
  /** The cost of an event without one. Default: empty. */
  none?: string;
}

/** The `cost` and `cost_details` of an event from what is stored of it; `cost` is HTML. */
export function presentCost(meta: CostMeta, site: CurrencyDefaults, format?: CostFormat): PresentedCost {
  const { symbol } = currencyOf(meta, site);
  const symbolLast = meta.position ? meta.position === 'postfix' || meta.position === 'suffix' : site.reversePosition;
  return {
    cost: range(meta.costs, format?.amount ?? ((piece) => (symbolLast ? piece + symbol : symbol + piece))) || (format?.none ?? ''),
    cost_details: {
      currency_symbol: meta.symbol ?? '',
      currency_code: meta.code ?? '',
      currency_position: meta.position ?? '',
      values: costValues(meta.costs),
    },
  };
}

/** The cost of an event without its currency symbol: one amount, or the lowest and the highest. */
export const plainCost = (costs: readonly string[]): string => range(costs, (piece) => piece);

/** `offers.price` and `offers.priceCurrency` of an event's `json_ld`, or null when it has no cost. */
export function offerPrice(meta: CostMeta, site: CurrencyDefaults): { price: string; priceCurrency: string } | null {
  const shown = plainCost(meta.costs);
  if (shown === '') return null;
  return { price: shown.toLowerCase() === FREE.toLowerCase() ? '0' : shown, priceCurrency: meta.code || site.code };
}
