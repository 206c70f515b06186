import { createHash } from 'node:crypto';
import type { CurrencyDefaults } from '../../../tec/cost.js';
import { EVENT_FIELDS, OWN_ORIGIN } from '../../../tec/event.js';
import { rowsOf } from '../../../tec/field.js';
import type { MetaRow, Post } from '../../../wp/model.js';
import type { Event, Image } from '../../../types.js';
import { isWithheld, type Linked } from '../items.js';
import type { CorePost, Summary } from './summary.js';
import type { RawTexts } from './unrender.js';

/** Documents of what a site shows. They have the ids that they have there. */

export interface DocumentContext {
  summary: Summary;
  /** The core API's word on some of the posts. */
  core: ReadonlyMap<number, CorePost>;
  currency: CurrencyDefaults;
  /** Folder of the uploads in addresses of the site, with slash. */
  uploadsUrl: string;
  /** Stands for passwords that are not known: nobody knows this one. */
  lock: string;
  /** Notes what cannot be copied exactly. */
  note: (what: 'cost' | 'image') => void;
}

export const rawOf = (core: CorePost | undefined): RawTexts => ({
  ...(core?.title?.raw === undefined ? {} : { title: core.title.raw }),
  ...(core?.content?.raw === undefined ? {} : { content: core.content.raw }),
  ...(core?.excerpt?.raw === undefined ? {} : { excerpt: core.excerpt.raw }),
});

export const coreMeta = (core: CorePost | undefined, key: string): string => {
  const value = core?.meta?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Ids that an item had where it was imported from come after its own (TEC). */
const lineageRows = ({ global_id_lineage: [, ...earlier] = [] }: { global_id_lineage?: string[] }): MetaRow[] =>
  rowsOf(EVENT_FIELDS.global_id_lineage, ...earlier);

/** Where a post came from: made by hand, as far as the site tells. */
export const originRow = (key: string): MetaRow => ({ key, value: OWN_ORIGIN });

/** The rows that all kinds of posts may have. */
export const commonRows = (item: Event | Linked): MetaRow[] => {
  const { image }: { image?: Image | false } = item;
  return [...(image ? [{ key: '_thumbnail_id', value: String(image.id) }] : []), ...lineageRows(item)];
};

/** What all kinds of posts have. */
export function common(item: Event | Linked, type: string, password: string): Omit<Post, 'title' | 'content' | 'excerpt' | 'meta'> {
  return {
    _id: item.id,
    type,
    status: item.status,
    author: Number(item.author ?? 0),
    slug: item.slug ?? '',
    password,
    parent: 0,
    menuOrder: 0,
    date: item.date,
    dateGmt: item.date_utc,
    modified: item.modified,
    modifiedGmt: item.modified_utc,
    terms: {},
  };
}

/**
 * The password of an item: where the site does not tell it, one that nobody knows, so that the copy keeps the contents back as well.
 * @param isOpen whether a single answer showed that there is none
 */
export function passwordOf(item: Event | Linked, core: CorePost | undefined, isOpen: boolean, { lock }: DocumentContext): string {
  if (core?.password) return core.password;
  return isWithheld(item) || !isOpen ? lock : '';
}

/** A password that nobody knows, the same for the same site and moment of asking. */
export const lockOf = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 20);
