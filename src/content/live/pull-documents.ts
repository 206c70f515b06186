import { createHash } from 'node:crypto';
import path from 'node:path';
import { imageTypeOfName } from '../../wp/media/types.js';
import { ATTACHMENT, TAG } from '../../wp/model.js';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../tec/index.js';
import type { ImageMetadata, MetaRow, Post, Term as StoredTerm, User } from '../../wp/model.js';
import type { CurrencyDefaults } from '../../tec/cost.js';
import type { Event, Image, Organizer, Term, Venue } from '../../types.js';
import { storedCost } from './stored-cost.js';
import { storedTexts, unescaped, type RawTexts } from './unrender.js';
import { isWithheld, venuesIn, type CoreMedium, type CorePost, type CoreUser, type Linked, type Summary } from './pull-fetch.js';

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
  /** Told of what cannot be had as it is. */
  note: (what: 'cost' | 'image') => void;
}

const row = (key: string, ...values: (string | number | undefined)[]): MetaRow[] =>
  values.filter((value) => value !== undefined && value !== '').map((value) => ({ key, value: String(value) }));

const flagRow = (key: string, shown: boolean | null): MetaRow => ({ key, value: (shown ?? true) ? '1' : '' });

const rawOf = (core: CorePost | undefined): RawTexts => ({
  ...(core?.title?.raw === undefined ? {} : { title: core.title.raw }),
  ...(core?.content?.raw === undefined ? {} : { content: core.content.raw }),
  ...(core?.excerpt?.raw === undefined ? {} : { excerpt: core.excerpt.raw }),
});

const coreMeta = (core: CorePost | undefined, key: string): string => {
  const value = core?.meta?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Ids that an item had where it was imported from come after its own (TEC). */
const lineageRows = ({ global_id_lineage: [, ...earlier] = [] }: { global_id_lineage?: string[] }): MetaRow[] =>
  row('_tribe_aggregator_global_id_lineage', ...earlier);

const thumbnailRow = ({ image }: { image?: Image | false }): MetaRow[] => (image ? row('_thumbnail_id', image.id) : []);

/** What all kinds of posts have. */
function common(item: Event | Linked, type: string, password: string): Omit<Post, 'title' | 'content' | 'excerpt' | 'meta'> {
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
function passwordOf(item: Event | Linked, core: CorePost | undefined, isOpen: boolean, { lock }: DocumentContext): string {
  if (core?.password) return core.password;
  return isWithheld(item) || !isOpen ? lock : '';
}

function timeRows(event: Event): MetaRow[] {
  const [start, end] = [event.utc_start_date, event.utc_end_date].map((utc) =>
    utc === null ? NaN : Date.parse(`${utc.replace(' ', 'T')}Z`),
  );
  return [
    ...(event.all_day ? row('_EventAllDay', 'yes') : []),
    ...row('_EventStartDate', event.start_date ?? ''),
    ...row('_EventEndDate', event.end_date ?? ''),
    ...row('_EventStartDateUTC', event.utc_start_date ?? ''),
    ...row('_EventEndDateUTC', event.utc_end_date ?? ''),
    ...(Number.isFinite(end - start) ? row('_EventDuration', Math.max(0, (end - start) / 1000)) : []),
    ...row('_EventTimezone', event.timezone),
    ...row('_EventTimezoneAbbr', event.timezone_abbr),
  ];
}

const EVENT_STATUS: Readonly<Record<string, string>> = { EventCancelled: 'canceled', EventPostponed: 'postponed' };

function costRows(event: Event, single: Event | undefined, core: CorePost | undefined, context: DocumentContext): MetaRow[] {
  const { currency_symbol: symbol, currency_code: code, currency_position: position } = event.cost_details;
  const offer = single?.json_ld?.offers;
  const { costs, exact } = storedCost({ ...event, ...(offer ? { offer } : {}) }, context.currency, coreMeta(core, '_EventCost'));
  if (!exact) context.note('cost');
  return [
    ...row('_EventCurrencySymbol', symbol),
    ...row('_EventCurrencyCode', code),
    ...row('_EventCurrencyPosition', position),
    ...row('_EventCost', ...costs),
  ];
}

/** TEC: an event without a website of its own shows its address. */
const websiteRow = ({ website, url }: Event): MetaRow[] => (website === url ? [] : [{ key: '_EventURL', value: unescaped(website) }]);

/** @param single the answer of the event's own route, if there is one */
export function eventPost(event: Event, single: Event | undefined, context: DocumentContext): Post {
  const core = context.core.get(event.id);
  // TEC: no structured data behind a password, even for those who have it.
  const isOpen = single === undefined || single.json_ld !== undefined;
  const password = passwordOf(event, core, isOpen, context);
  const texts = storedTexts(
    {
      title: event.title,
      description: event.description,
      excerpt: event.excerpt,
      ...(single?.json_ld ? { jsonLd: single.json_ld.description } : {}),
    },
    rawOf(core),
  );
  const behind = context.summary.behind.get(event.id);
  const eventStatus = EVENT_STATUS[single?.json_ld?.eventStatus.split('/').at(-1) ?? ''] ?? coreMeta(core, '_tribe_events_status');
  const ids = (items: readonly { id: number }[]): number[] => items.map(({ id }) => id);
  const { venues, organizers, categories, tags, featured } = behind ?? {
    venues: ids(venuesIn(event)),
    organizers: ids(event.organizer),
    categories: ids(event.categories),
    tags: ids(event.tags),
    featured: event.featured ?? false,
  };
  return {
    ...common(event, EVENT, password),
    ...texts,
    menuOrder: event.sticky ? -1 : 0,
    meta: [
      ...row('_EventOrigin', 'events-calendar'),
      flagRow('_EventShowMapLink', event.show_map_link),
      flagRow('_EventShowMap', event.show_map),
      ...row('_EventVenueID', ...venues),
      ...row('_EventOrganizerID', ...organizers),
      ...thumbnailRow(event),
      ...timeRows(event),
      ...(isWithheld(event) ? [] : [...costRows(event, single, core, context), ...websiteRow(event)]),
      ...(event.hide_from_listings ? row('_EventHideFromUpcoming', 'yes') : []),
      ...(featured ? row('_tribe_featured', '1') : []),
      ...row('_tribe_events_status', eventStatus),
      ...lineageRows(event),
    ],
    terms: { ...(categories.length > 0 ? { [EVENT_CATEGORY]: categories } : {}), ...(tags.length > 0 ? { [TAG]: tags } : {}) },
  };
}

const VENUE_ROWS = {
  address: '_VenueAddress',
  city: '_VenueCity',
  country: '_VenueCountry',
  province: '_VenueProvince',
  state: '_VenueState',
  zip: '_VenueZip',
  phone: '_VenuePhone',
  website: '_VenueURL',
  stateprovince: '_VenueStateProvince',
} as const;

const ORGANIZER_ROWS = { phone: '_OrganizerPhone', website: '_OrganizerWebsite', email: '_OrganizerEmail' } as const;

// What a password keeps back is there all the same, and empty: something has to stand for it, so that it is there in the copy too.
const fieldRows = (item: Linked, rows: Readonly<Record<string, string>>, withheld: boolean): MetaRow[] =>
  Object.entries(rows).flatMap(([field, key]) => {
    const value = (item as unknown as Readonly<Record<string, string | undefined>>)[field];
    return row(key, withheld && value === '' ? '-' : value);
  });

/** A name that a password keeps back: from the core API, which says `Protected: …`, or from the slug. */
const nameBehindPassword = (slug: string | undefined, core: CorePost | undefined): string =>
  core?.title?.rendered?.replace(/^[^:]+: /, '') ?? (slug ?? '').replaceAll('-', ' ');

function linkedPost(
  item: Linked,
  name: string | [] | undefined,
  type: string,
  jsonLd: string | undefined,
  isOpen: boolean,
  context: DocumentContext,
) {
  const core = context.core.get(item.id);
  const withheld = isWithheld(item);
  const shown = withheld && item.description === '' ? '<p>-</p>' : (item.description ?? '');
  const texts = storedTexts(
    {
      title: typeof name === 'string' ? name : nameBehindPassword(item.slug, core),
      description: shown,
      excerpt: item.excerpt ?? '',
      ...(jsonLd === undefined ? {} : { jsonLd }),
    },
    rawOf(core),
  );
  return { post: { ...common(item, type, passwordOf(item, core, isOpen, context)), ...texts }, core, withheld };
}

export function venuePost(venue: Venue, single: Venue | undefined, context: DocumentContext): Post {
  const isOpen = single === undefined || single.json_ld !== undefined;
  const { post, core, withheld } = linkedPost(venue, venue.venue, VENUE, single?.json_ld?.description, isOpen, context);
  const coordinate = (shown: number | undefined, key: string): string => {
    // Behind a password coordinates are there, as zero.
    if (withheld && shown === 0) return coreMeta(core, key) || '0.000001';
    return shown ? String(shown) : coreMeta(core, key);
  };
  return {
    ...post,
    meta: [
      ...row('_VenueOrigin', 'events-calendar'),
      ...(['_EventShowMapLink', '_VenueShowMapLink'] as const).map((key) => flagRow(key, venue.show_map_link)),
      ...(['_EventShowMap', '_VenueShowMap'] as const).map((key) => flagRow(key, venue.show_map)),
      ...thumbnailRow(venue),
      ...fieldRows(venue, VENUE_ROWS, withheld),
      ...row('_VenueLat', coordinate(venue.geo_lat, '_VenueLat')),
      ...row('_VenueLng', coordinate(venue.geo_lng, '_VenueLng')),
      ...lineageRows(venue),
    ],
  };
}

export function organizerPost(organizer: Organizer, single: Organizer | undefined, context: DocumentContext): Post {
  const isOpen = single === undefined || single.json_ld !== undefined;
  const { post, withheld } = linkedPost(organizer, organizer.organizer, ORGANIZER, single?.json_ld?.description, isOpen, context);
  return {
    ...post,
    meta: [
      ...row('_OrganizerOrigin', 'events-calendar'),
      ...thumbnailRow(organizer),
      ...fieldRows(organizer, ORGANIZER_ROWS, withheld),
      ...lineageRows(organizer),
    ],
  };
}

/** A term. What has it besides the posts that the site shows is counted without them. */
export function termDocument(term: Term, { eventTerms, termUse }: Summary): StoredTerm {
  const facts = eventTerms.get(term.id);
  return {
    _id: term.id,
    taxonomy: term.taxonomy,
    name: term.name,
    slug: term.slug,
    description: term.description ?? '',
    parent: term.parent ?? 0,
    termGroup: facts?.term_group ?? 0,
    termTaxonomyId: facts?.term_taxonomy_id ?? term.id,
    elsewhere: Math.max(0, (term.count ?? 0) - (termUse.get(term.id) ?? 0)),
    count: 0,
    branchCount: 0,
    nameKey: '',
    search: '',
  };
}

/** Path of a file below the uploads folder; files that lie elsewhere get a place of their own. */
export function uploadPath(url: string, id: number, uploadsUrl: string): string {
  if (uploadsUrl !== '' && url.startsWith(uploadsUrl)) return decodeURIComponent(url.slice(uploadsUrl.length)).replace(/^\/+/, '');
  return `elsewhere/${id}/${path.posix.basename(new URL(url).pathname)}`;
}

function imageMetadata(image: Image, file: string, details: CoreMedium['media_details']): ImageMetadata {
  return {
    width: image.width ?? 0,
    height: image.height ?? 0,
    file,
    ...(image.filesize === undefined ? {} : { filesize: image.filesize }),
    sizes: Object.fromEntries(
      Object.entries(image.sizes ?? {}).map(([name, { url, ...size }]) => [
        name,
        { ...size, file: path.posix.basename(new URL(url).pathname) },
      ]),
    ),
    ...(image.original_image === undefined ? {} : { original_image: image.original_image }),
    image_meta: details?.image_meta ?? {},
  };
}

const UNKNOWN_DATE = '1970-01-01 00:00:00';
const dateOf = (text: string | undefined): string => text?.replace('T', ' ') ?? UNKNOWN_DATE;
const plainText = (html: string | undefined): string => (html ?? '').replace(/<[^>]*>/g, '').trim();

/** The attachment of an image that is shown with something. @param core what the core API says of it, if anything */
export function imagePost(image: Image, core: CoreMedium | undefined, context: DocumentContext): Post {
  const file = uploadPath(image.url, image.id, context.uploadsUrl);
  if (file.startsWith('elsewhere/')) context.note('image');
  const name = path.posix.basename(file, path.posix.extname(file));
  const title = core?.title?.rendered ?? name;
  return {
    _id: image.id,
    type: ATTACHMENT,
    status: 'inherit',
    author: core?.author ?? 0,
    ...storedTexts({ title, description: '', excerpt: '' }, core?.title?.raw === undefined ? {} : { title: core.title.raw }),
    excerpt: core?.caption?.raw ?? plainText(core?.caption?.rendered),
    content: core?.description?.raw ?? '',
    slug: core?.slug ?? name.toLowerCase(),
    password: '',
    parent: core?.post ?? 0,
    menuOrder: 0,
    date: dateOf(core?.date),
    dateGmt: dateOf(core?.date_gmt ?? core?.date),
    modified: dateOf(core?.modified),
    modifiedGmt: dateOf(core?.modified_gmt ?? core?.modified),
    mimeType: core?.mime_type ?? imageTypeOfName(file) ?? Object.values(image.sizes ?? {})[0]?.['mime-type'] ?? '',
    file,
    image: imageMetadata(image, file, core?.media_details),
    meta: row('_wp_attachment_image_alt', core?.alt_text),
    terms: {},
  };
}

/** Somebody who has written something. Nobody can sign in as them: the site tells neither login nor password. */
export function userDocument(id: number, core: CoreUser | undefined): User {
  const login = core?.slug || `author-${id}`;
  return {
    _id: id,
    login,
    email: `${login.replace(/[^\w.-]/g, '-')}@example.org`,
    displayName: core?.name ?? login,
    nicename: login,
    url: core?.url ?? '',
    role: 'author',
    applicationPasswords: [],
    ...(core?.description ? { description: core.description } : {}),
  };
}

/** What money is shown in where an event does not say, from the events that do not say. */
export class CurrencyGuess {
  private symbol: string | undefined;
  private position: 'prefix' | 'postfix' | undefined;
  private code: string | undefined;

  see(event: Event, single: Event | undefined): void {
    const { currency_symbol: symbol, currency_position: position, currency_code: code, values } = event.cost_details;
    const [value] = values;
    const offer = single?.json_ld?.offers;
    if (code === '' && offer !== undefined) this.code ??= offer.priceCurrency;
    if (values.length !== 1 || !/^\d+$/.test(value) || !/\d/.test(event.cost)) return;
    const found = /^(\D*)[\d.,]+(\D*)$/.exec(unescaped(event.cost));
    if (!found) return;
    if (position === '' && (found[1] === '') !== (found[2] === '')) this.position ??= found[1] === '' ? 'postfix' : 'prefix';
    if (symbol === '') this.symbol ??= found[1] + found[2];
  }

  /** As far as it is known; the rest is as a new calendar has it. */
  get found(): CurrencyDefaults {
    return { symbol: this.symbol ?? '$', code: this.code ?? 'USD', reversePosition: this.position === 'postfix' };
  }
}

/** A password that nobody knows, the same for the same site and moment of asking. */
export const lockOf = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 20);
