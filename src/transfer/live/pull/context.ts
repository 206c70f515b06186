import { createHash } from 'node:crypto';
import type { CurrencyDefaults } from '../../../plugins/the-events-calendar/model/cost.js';
import { EVENT_FIELDS, OWN_ORIGIN, rowsOf } from '../../../plugins/the-events-calendar/model/event.js';
import type { MetaRow, Post } from '../../../wordpress/model.js';
import type { Event, Image } from '../../../sdk/types/responses.js';
import { isWithheldItem, type LinkedOnSite } from '../items.js';
import type { PullPart } from './content.js';
import type { CorePost, Summary } from './summary.js';
import type { RawTexts } from './unrender.js';

/** Helpers that convert API items to documents. Ids are kept. */

export interface DocumentContext {
  summary: Summary;
  /** Posts of the core API by id, if available. */
  core: ReadonlyMap<number, CorePost>;
  currency: CurrencyDefaults;
  /** URL of the uploads folder of the site, with trailing slash. */
  uploadsUrl: string;
  /** Random password for items whose password is unknown. */
  lock: string;
  /** The plugins of the site whose content is copied. */
  ofPlugins: readonly PullPart[];
  /** Records a value that cannot be copied exactly. */
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

/** TEC: in the lineage, the ids of the sites that an item was imported from follow its own. */
const lineageRows = ({ global_id_lineage: lineage }: { global_id_lineage?: string[] }): MetaRow[] =>
  rowsOf(EVENT_FIELDS.global_id_lineage, ...(Array.isArray(lineage) ? lineage.slice(1).map(String) : []));

/** The origin of a post. The API does not show it, so it is the one that posts created in the admin have. */
export const originRow = (key: string): MetaRow => ({ key, value: OWN_ORIGIN });

/** The meta rows that all kinds of posts share. */
export const commonRows = (item: Event | LinkedOnSite): MetaRow[] => {
  const { image }: { image?: Image | false } = item;
  return [...(image ? [{ key: '_thumbnail_id', value: String(image.id) }] : []), ...lineageRows(item)];
};

/** The columns that all kinds of posts share. */
export function common(item: Event | LinkedOnSite, type: string, password: string): Omit<Post, 'title' | 'content' | 'excerpt' | 'meta'> {
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
 * The password of an item. If the site does not show it, a random one, so that the copy is protected as well.
 * @param isOpen whether the response of the single route shows that there is no password
 */
export function passwordOf(item: Event | LinkedOnSite, core: CorePost | undefined, isOpen: boolean, { lock }: DocumentContext): string {
  if (core?.password) return core.password;
  return isWithheldItem(item) || !isOpen ? lock : '';
}

/** Derives the password for items whose password is unknown. */
export const lockOf = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 20);
