import { lookup } from '../../base/values/records.js';
import CHARACTERS from './characters.json' with { type: 'json' };

const NAMED: Readonly<Record<string, string>> = lookup(CHARACTERS.entities);

const character = (code: number): string =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';

/** Decodes entities: numeric ones, and the named ones that occur in texts of a site. Others stay. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    return character(decimal === undefined ? parseInt(hex ?? '0', 16) : Number(decimal));
  });
