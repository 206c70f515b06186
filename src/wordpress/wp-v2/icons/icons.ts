import { lookup } from '../../../base/values/records.js';
import NAMES from '../../formatting/block-parts/icon-names.json' with { type: 'json' };
import type { Json } from '../../rest/route.js';

/** Labels that are more than the words of the name. */
const LABELS: Readonly<Record<string, string>> = lookup({ 'at-symbol': 'At Symbol (@)' });

const labelOf = (name: string): string =>
  LABELS[name] ??
  name
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join(' ');

/** A stand-in for the drawing of WordPress, which is its own artwork: the first letters of the label in a frame. */
function drawing(label: string): string {
  const letters = label
    .split(' ')
    .map(([letter]) => letter)
    .filter((letter) => /\w/.test(letter))
    .join('');
  const text = `<text x="12" y="15" font-size="8" text-anchor="middle">${letters}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h16v16H4zM5 5v14h14V5z"></path>${text}</svg>`;
}

interface IconCollection {
  slug: string;
  label: string;
  description: string;
}

const CORE: IconCollection = { slug: 'core', label: 'WordPress', description: 'Default icon collection.' };

export const COLLECTIONS: readonly IconCollection[] = [CORE];

/** An icon that blocks may show. */
interface Icon {
  /** With the collection, such as `core/calendar`. */
  name: string;
  label: string;
  /** SVG. */
  content: string;
  collection: string;
}

/** In order of registration. */
export const ICONS: readonly Icon[] = NAMES.map((name) => {
  const label = labelOf(name);
  return { name: `${CORE.slug}/${name}`, label, content: drawing(label), collection: CORE.slug };
});

/** WP: a search is for a part of the name or label, in any case. */
export function matchesSearch({ name, label }: Icon, search: string): boolean {
  const wanted = search.toLowerCase();
  return name.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted);
}

export const presentIcon = ({ name, label, content, collection }: Icon, hasCollections: boolean): Json => ({
  name,
  label,
  content,
  ...(hasCollections ? { collection } : {}),
});
