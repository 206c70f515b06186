import { decodeEntities } from '../formatting/decode-entities.js';

/** Larger descriptions are not read. */
const MAX_BYTES = 256 * 1024;

/** The part of a text between two others; null if they are not in it. */
function between(text: string, start: string, end: string): string | null {
  const from = text.indexOf(start);
  const to = from < 0 ? -1 : text.indexOf(end, from);
  return to < 0 ? null : text.slice(from + start.length, to);
}

/** The description of an image in RDF (XMP), as text; null if there is none. */
function descriptionIn(bytes: Buffer): string | null {
  const from = bytes.indexOf('<x:xmpmeta');
  const to = from < 0 ? -1 : bytes.indexOf('</x:xmpmeta>', from);
  return to < 0 || to - from > MAX_BYTES ? null : bytes.toString('utf8', from, to);
}

/**
 * The alternative text that an image contains, `''` if there is none. IPTC: it is in `AltTextAccessibility`, for each language, with
 * `x-default` for all others.
 */
export function altTextIn(bytes: Buffer): string {
  const description = descriptionIn(bytes);
  const texts = description && between(description, '<Iptc4xmpCore:AltTextAccessibility>', '</Iptc4xmpCore:AltTextAccessibility>');
  if (!texts) return '';
  const items = [...texts.matchAll(/<rdf:li\b([^<>]*)>([^<]*)<\/rdf:li>/g)];
  const chosen = items.find(([, attributes]) => /xml:lang=["']x-default["']/.test(attributes)) ?? items.at(0);
  return chosen ? decodeEntities(chosen[2]).trim() : '';
}
