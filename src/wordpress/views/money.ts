export interface ShownCurrency {
  /** Symbol as the site shows it: `€`, `CHF`; empty for none. */
  symbol: string;
  /** ISO 4217; empty or unknown: the amount has two decimals. */
  code: string;
}

/** Its format is used for all currencies without a code. */
const ANY = 'EUR';

const formats = new Map<string, Intl.NumberFormat>();

function formatFor(tag: string, code: string, isWhole: boolean): Intl.NumberFormat {
  const name = `${tag} ${code} ${isWhole}`;
  const format = formats.get(name) ?? newFormat(tag, code, isWhole);
  formats.set(name, format);
  return format;
}

function newFormat(tag: string, code: string, isWhole: boolean): Intl.NumberFormat {
  const style = { style: 'currency', ...(isWhole ? { maximumFractionDigits: 0 } : {}) } as const;
  try {
    return new Intl.NumberFormat(tag, { ...style, currency: code });
  } catch {
    return new Intl.NumberFormat(tag, { ...style, currency: ANY });
  }
}

/** Recent results: few prices differ, and formatting a range takes long. */
const written = new Map<string, string>();
const MOST_WRITTEN = 1_000;

/**
 * Formats an amount, or a range of two, in a language, with the symbol of the site: `€12.50`, `12,50 €`, `41–52 €`. Whole amounts have no
 * decimals.
 */
export function money(tag: string, amounts: readonly number[], currency: ShownCurrency): string {
  const name = JSON.stringify([tag, amounts, currency.symbol, currency.code]);
  const known = written.get(name);
  if (known !== undefined) return known;
  if (written.size >= MOST_WRITTEN) {
    written.clear();
    formats.clear();
  }
  const text = write(tag, amounts, currency);
  written.set(name, text);
  return text;
}

function write(tag: string, [low, high = low]: readonly number[], { symbol, code }: ShownCurrency): string {
  const format = formatFor(tag, code, Number.isInteger(low) && Number.isInteger(high));
  const parts = low === high ? format.formatToParts(low) : format.formatRangeToParts(low, high);
  return parts
    .map(({ type, value }) => (type === 'currency' ? symbol : value))
    .join('')
    .trim();
}
