import { lookup } from '../../../base/values/records.js';
import { EVENT_FIELDS, EVENT_ORIGIN, LINKED, LINKED_KINDS, eachLinked } from '../../../plugins/the-events-calendar/model/event.js';
import type { LinkedKind, Fields } from '../../../plugins/the-events-calendar/model/event.js';
import { EVENT, EVENT_CATEGORY } from '../../../plugins/the-events-calendar/model/index.js';
import { TAG, type MetaRow, type Post } from '../../../wordpress/model.js';
import type { Event } from '../../../sdk/types/responses.js';
import { fieldRows, type FieldValues, isValue, type Value } from '../../fields.js';
import { common, commonRows, coreMeta, originRow, passwordOf, rawOf, type DocumentContext } from './context.js';
import { offerOf, storedCost } from './stored-cost.js';
import { isWithheldItem, nameOf, type LinkedOnSite } from '../items.js';
import { linkedIn, type CorePost } from './summary.js';
import { storedTexts, unescapedHtml } from './unrender.js';

// Password-protected fields are shown as empty (coordinates: zero) if they have a value, and omitted otherwise. The copy stores a placeholder.
const HIDDEN_TEXT = '-';
const HIDDEN_DEGREES = '0.000001';

/** The field values of an item, as far as the API shows them. */
function shownValues(item: LinkedOnSite, table: Fields, withheld: boolean, core: CorePost | undefined): FieldValues {
  const valueOf = (name: string, { kind, key, ...field }: Fields[string]): Value | undefined => {
    const shown: unknown = Reflect.get(item, name);
    if (kind === 'flag') return typeof shown === 'boolean' ? shown : 'default' in field && field.default;
    if (kind === 'coordinate') return degreesOf(shown, coreMeta(core, key), withheld);
    return withheld && shown === '' ? HIDDEN_TEXT : isValue(shown) && shown !== '' ? shown : undefined;
  };
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, valueOf(name, field)]));
}

function degreesOf(shown: unknown, stored: string, withheld: boolean): string {
  if (withheld && shown === 0) return stored || HIDDEN_DEGREES;
  return typeof shown === 'number' || typeof shown === 'string' ? String(shown || stored) : stored;
}

/** The name of a password-protected item: from the core API, which shows `Protected: …`, or from the slug. */
const protectedName = (slug: string | undefined, core: CorePost | undefined): string =>
  core?.title?.rendered?.replace(/^[^:]+: /, '') ?? (slug ?? '').replaceAll('-', ' ');

/** Converts a linked item to a post. @param single the response of its single route, if requested */
export function linkedPost(kind: LinkedKind, item: LinkedOnSite, single: LinkedOnSite | undefined, context: DocumentContext): Post {
  const { type, fields, origin } = LINKED[kind];
  const core = context.core.get(item.id);
  const withheld = isWithheldItem(item);
  const name = nameOf(item, kind);
  // TEC: password-protected posts have no structured data, even for users who may read them.
  const isOpen = single === undefined || single.json_ld !== undefined;
  const texts = storedTexts(
    {
      title: typeof name === 'string' ? name : protectedName(item.slug, core),
      description: withheld && item.description === '' ? '<p>-</p>' : (item.description ?? ''),
      excerpt: item.excerpt ?? '',
      jsonLd: single?.json_ld?.description,
    },
    rawOf(core),
  );
  return {
    ...common(item, type, passwordOf(item, core, isOpen, context)),
    ...texts,
    meta: [originRow(origin), ...commonRows(item), ...fieldRows(fields, shownValues(item, fields, withheld, core))],
  };
}

function timesOf(event: Event): FieldValues {
  const [start, end] = [event.utc_start_date, event.utc_end_date].map((utc) =>
    utc === null ? NaN : Date.parse(`${utc.replace(' ', 'T')}Z`),
  );
  return {
    all_day: event.all_day ?? false,
    start_date: event.start_date ?? '',
    end_date: event.end_date ?? '',
    utc_start_date: event.utc_start_date ?? '',
    utc_end_date: event.utc_end_date ?? '',
    duration: Number.isFinite(end - start) ? Math.max(0, (end - start) / 1000) : '',
    timezone: event.timezone,
    timezone_abbr: event.timezone_abbr,
  };
}

const EVENT_STATUS: Readonly<Record<string, string>> = lookup({ EventCancelled: 'canceled', EventPostponed: 'postponed' });

function priceOf(event: Event, single: Event | undefined, core: CorePost | undefined, context: DocumentContext): FieldValues {
  const { currency_symbol, currency_code, currency_position } = event.cost_details;
  const offer = offerOf(single);
  const stored = coreMeta(core, EVENT_FIELDS.cost.key);
  const [format] = context.ofPlugins.flatMap(({ costOf }) => costOf?.(event) ?? []);
  const { costs, exact } = storedCost({ ...event, ...(offer ? { offer } : {}) }, context.currency, stored, format);
  if (!exact) context.note('cost');
  return { cost: costs, currency_symbol, currency_code, currency_position };
}

/** TEC: an event without a website shows its own URL as the website. */
const websiteRow = ({ website, url }: Event): MetaRow[] =>
  website === url ? [] : [{ key: EVENT_FIELDS.website.key, value: unescapedHtml(website) }];

const rowsOfPlugins = (core: CorePost | undefined, { ofPlugins }: DocumentContext): MetaRow[] =>
  ofPlugins
    .flatMap(({ eventMeta = [] }) => eventMeta)
    .map((key) => ({ key, value: coreMeta(core, key) }))
    .filter(({ value }) => value !== '');

/** Converts an event to a post. @param single the response of its single route, if requested */
export function eventPost(event: Event, single: Event | undefined, context: DocumentContext): Post {
  const core = context.core.get(event.id);
  // TEC: password-protected posts have no structured data, even for users who may read them.
  const isOpen = single === undefined || single.json_ld !== undefined;
  const password = passwordOf(event, core, isOpen, context);
  const texts = storedTexts(
    {
      title: event.title,
      description: event.description,
      excerpt: event.excerpt,
      jsonLd: single?.json_ld?.description,
    },
    rawOf(core),
  );
  const facts = context.summary.protectedEvents.get(event.id);
  const eventStatus =
    EVENT_STATUS[String(single?.json_ld?.eventStatus).replace(/.*\//, '')] ?? coreMeta(core, EVENT_FIELDS.event_status.key);
  const ids = (items: readonly { id: number }[]): number[] => items.map(({ id }) => id);
  const { links, categories, tags, featured } = facts ?? {
    links: eachLinked((kind) => ids(linkedIn(event, kind))),
    categories: ids(event.categories),
    tags: ids(event.tags),
    featured: event.featured ?? false,
  };
  const values: FieldValues = {
    ...timesOf(event),
    ...Object.fromEntries(LINKED_KINDS.map((kind) => [kind, links[LINKED[kind].column]])),
    show_map: event.show_map ?? true,
    show_map_link: event.show_map_link ?? true,
    ...(isWithheldItem(event) ? {} : priceOf(event, single, core, context)),
    hide_from_listings: event.hide_from_listings ?? false,
    featured,
    event_status: eventStatus,
  };
  return {
    ...common(event, EVENT, password),
    ...texts,
    menuOrder: event.sticky ? -1 : 0,
    meta: [
      originRow(EVENT_ORIGIN),
      ...commonRows(event),
      ...fieldRows(EVENT_FIELDS, values),
      ...rowsOfPlugins(core, context),
      ...(isWithheldItem(event) ? [] : websiteRow(event)),
    ],
    terms: { ...(categories.length > 0 ? { [EVENT_CATEGORY]: categories } : {}), ...(tags.length > 0 ? { [TAG]: tags } : {}) },
  };
}
