import { lookup } from '../../../base/values/records.js';
import { EVENT_FIELDS, readText, readFlag } from '../model/event.js';
import { linkedPosts } from '../model/linked.js';
import { presentEvent } from '../calendar-v1/event-present.js';
import { presentLinked } from '../calendar-v1/linked/resource.js';
import { isWithheldFrom, type View } from '../calendar-v1/view.js';
import { costBounds, currencyOf } from '../model/cost.js';
import { costMeta, currencyDefaults, shownTimes, zoneLabel } from '../model/event-dates.js';
import { isInSiteZone } from '../model/options.js';
import { TAG, type Post } from '../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { termsOf, thumbnail, type Related } from '../../../wordpress/posts/related.js';
import { isoWithOffset } from '../../../wordpress/timezones.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import type { NamedLink, Reading } from '../../../wordpress/views/reading.js';
import type { Span } from '../../../wordpress/views/dates.js';
import { trusted, type Html } from '../../../wordpress/views/html.js';
import { excerptOf, EXCERPT_WORDS } from '../../../wordpress/formatting/content.js';
import { escHtml } from '../../../wordpress/formatting/sanitize.js';
import { markedTitle, renderOptions } from '../../../wordpress/posts/rendered.js';
import { lineOf, pictureOf, titleOf, type Picture } from '../../../wordpress/views/texts.js';
import type { Venue } from '../../../sdk/types/responses.js';

/** TEC: the namespace whose data the plugin uses in its pages. */
const NAMESPACE = 'tribe/events/v1';

export type EventStatus = 'scheduled' | 'cancelled' | 'postponed';

export interface EventCard extends NamedLink {
  id: number;
  span: Span;
  /** ISO 8601 with offset. */
  startsAt: string;
  /** Abbreviation of the time zone, if it differs from the site's. */
  zone: string;
  /** Its title in full, with the tags in it, for attributes. */
  fullTitle: Html;
  /** The venue, unless its address is hidden or missing without one. */
  place: { name: Html; address: Html | null; shortAddress: Html | null } | null;
  cost: Html | null;
  picture: Picture | null;
  featured: boolean;
  status: EventStatus;
  isPast: boolean;
  /** Whether a password hides it. TEC: then its dates are written nowhere but in lists of days. */
  isHidden: boolean;
  /** Its excerpt, or the beginning of its description. */
  teaser: Html | null;
  /** The classes of its element (WP: `post_class`). */
  classNames: string;
}

export const viewFor = ({ site, reader }: Reading, related: Related, options: Partial<View> = {}): View => ({
  site,
  namespace: NAMESPACE,
  user: reader,
  password: null,
  editing: false,
  single: false,
  related,
  ...options,
});

/** The state or province of a venue, as it is written. */
export const regionOf = ({ stateprovince, province, state }: Venue): string | undefined => stateprovince ?? province ?? state;

const STATUS: Record<string, EventStatus> = lookup({ canceled: 'cancelled', postponed: 'postponed' });

/** The price, in English as the API has it, else as the language of the reader writes it; words as they are stored. */
function costOf(post: Post, shown: string, { site, texts, dates, language }: Reading): Html | null {
  if (language === 'en') return lineOf(shown);
  const meta = costMeta(post);
  const bounds = costBounds(meta.costs);
  const currency = currencyOf(meta, currencyDefaults(site));
  const amounts = bounds.filter((bound) => typeof bound === 'number');
  if (amounts.length === bounds.length && amounts.every((amount) => amount > 0))
    return amounts.length === 0 ? null : lineOf(dates.money(amounts, currency));
  const written = bounds.map((bound) => (typeof bound === 'string' ? bound : bound === 0 ? texts.free : dates.money([bound], currency)));
  return lineOf([...new Set(written)].join(' – '));
}

/** The venue of an event in a list. TEC: lists have the address without the zip; days have the street, and the city or else the region. */
function placeOf(venue: Post, view: View): EventCard['place'] {
  const shown = presentLinked('venue', venue, view, null);
  const joined = (parts: (string | undefined)[]): Html | null => {
    const filled = parts.filter((part) => part !== undefined && part !== '');
    return filled.length === 0 ? null : lineOf(filled.join(', '));
  };
  const { address, city, country } = shown;
  const region = regionOf(shown);
  return { name: titleOf(venue), address: joined([address, city, region, country]), shortAddress: joined([address, city ?? region]) };
}

const isOver = (end: string, { site }: Reading): boolean => end !== '' && site.isOver(end);

/** WP: the id, type and status of a post, and its terms. TEC: also the categories by another name. @param isHidden whether a password hides it */
function classesOf(post: Post, related: Related, isHidden: boolean): string {
  const slugs = (taxonomy: string): string[] =>
    isHidden ? [] : termsOf(post, taxonomy, related).map(({ slug, _id }) => (slug.includes('%') ? String(_id) : slug));
  return [
    `post-${post._id}`,
    post.type,
    `type-${post.type}`,
    `status-${post.status}`,
    ...(post.password === '' ? [] : [isHidden ? 'post-password-required' : 'post-password-protected']),
    ...(!isHidden && thumbnail(post, related) ? ['has-post-thumbnail'] : []),
    'hentry',
    ...slugs(TAG).map((slug) => `tag-${slug}`),
    ...slugs(EVENT_CATEGORY).flatMap((slug) => [`${EVENT_CATEGORY}-${slug}`, `cat_${slug}`]),
  ].join(' ');
}

/** Creates the card of an event. What only some lists show is computed when it is read. */
export function eventCard(post: Post, related: Related, reading: Reading, view = viewFor(reading, related)): EventCard {
  const { site, reader } = reading;
  const event = presentEvent(post, view);
  const isOnSite = isInSiteZone(site.options);
  const { start, end } = isOnSite ? shownTimes(post, site) : { start: event.start_date ?? '', end: event.end_date ?? '' };
  const timezone = isOnSite ? site.options.timezone : event.timezone;
  const label = zoneLabel(post, site);
  const venue = linkedPosts(post, 'venue', related).find((each) => canRead(reader, each, site.registry));
  const isHidden = isWithheldFrom(post, view);
  return {
    id: post._id,
    title: lineOf(markedTitle(post)),
    fullTitle: trusted(escHtml(markedTitle(post))),
    url: event.url,
    span: { start, end, allDay: event.all_day ?? readFlag(post, EVENT_FIELDS.all_day), zone: label },
    startsAt: isoWithOffset(site.zones, start, timezone),
    zone: timezone === site.options.timezone || label !== undefined ? '' : event.timezone_abbr,
    get place() {
      return venue && !isHidden ? placeOf(venue, view) : null;
    },
    get cost() {
      return event.cost === '' ? null : costOf(post, event.cost, reading);
    },
    picture: pictureOf(event.image, thumbnail(post, related), view.single ? 'large' : 'full'),
    isHidden,
    // TEC: a password does not hide it.
    featured: readFlag(post, EVENT_FIELDS.featured),
    status: STATUS[readText(post, EVENT_FIELDS.event_status)] ?? 'scheduled',
    isPast: isOver(end, reading),
    get classNames() {
      return classesOf(post, related, isHidden);
    },
    get teaser() {
      const text = isHidden ? '' : event.excerpt || excerptOf(post.content, EXCERPT_WORDS, renderOptions({ site, related }, post));
      return text === '' ? null : lineOf(text);
    },
  };
}
