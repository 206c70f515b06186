import { lookup } from '../../../base/values/records.js';
import { linkedPosts } from '../model/linked.js';
import { presentEvent } from '../calendar-v1/event-present.js';
import { isWithheldFrom, type View } from '../calendar-v1/view.js';
import { costBounds, currencyOf } from '../model/cost.js';
import { costMeta, currencyDefaults } from '../model/event-cost.js';
import { shownTimes, zoneLabel } from '../model/event-dates.js';
import { isInSiteZone } from '../model/options.js';
import { EVENT_FIELDS } from '../model/event.js';
import { readText } from '../model/field.js';
import { readFlag } from '../model/flags.js';
import { VENUE_FIELDS } from '../model/kinds/venue.js';
import { TAG, type Post } from '../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { termsOf, thumbnail, type Related } from '../../../wordpress/posts/related.js';
import { isoWithOffset } from '../../../wordpress/timezones.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import type { NamedLink } from '../../../wordpress/views/content.js';
import type { Badge, Span } from '../../../wordpress/views/dates.js';
import type { Html } from '../../../wordpress/views/html.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { lineOf, pictureOf, teaserOf, titleOf, type Picture } from '../../../wordpress/views/texts.js';

/** TEC: the namespace whose data the plugin uses in its pages. */
const NAMESPACE = 'tribe/events/v1';

export type EventStatus = 'scheduled' | 'cancelled' | 'postponed';

/** An event in a list. */
export interface EventCard extends NamedLink {
  id: number;
  span: Span;
  /** ISO 8601 with offset. */
  startsAt: string;
  endsAt: string;
  /** Abbreviation of the time zone, if it differs from the site's. */
  zone: string;
  badge: Badge;
  /** Name and city of the venue. */
  place: Html[];
  cost: Html | null;
  picture: Picture | null;
  featured: boolean;
  status: EventStatus;
  isPast: boolean;
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

const STATUS: Record<string, EventStatus> = lookup({ canceled: 'cancelled', postponed: 'postponed' });

/** The price, as the language of the reader writes it; words as they are stored. */
function costOf(post: Post, { site, texts, dates }: Reading): Html | null {
  const meta = costMeta(post);
  const bounds = costBounds(meta.costs);
  const currency = currencyOf(meta, currencyDefaults(site));
  const amounts = bounds.filter((bound) => typeof bound === 'number');
  if (amounts.length === bounds.length && amounts.every((amount) => amount > 0))
    return amounts.length === 0 ? null : lineOf(dates.money(amounts, currency));
  const shown = bounds.map((bound) => (typeof bound === 'string' ? bound : bound === 0 ? texts.free : dates.money([bound], currency)));
  return lineOf([...new Set(shown)].join(' – '));
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
  const { site, dates, reader } = reading;
  const event = presentEvent(post, view);
  const isOnSite = isInSiteZone(site.options);
  const { start, end } = isOnSite ? shownTimes(post, site) : { start: event.start_date ?? '', end: event.end_date ?? '' };
  const timezone = isOnSite ? site.options.timezone : event.timezone;
  const label = zoneLabel(post, site);
  const venue = linkedPosts(post, 'venue', related).find((each) => canRead(reader, each, site.registry));
  const isHidden = isWithheldFrom(post, view);
  const town = venue && venue.password === '' ? readText(venue, VENUE_FIELDS.city) : '';
  return {
    id: post._id,
    title: titleOf(post),
    url: event.url,
    span: { start, end, allDay: event.all_day ?? readFlag(post, EVENT_FIELDS.all_day), zone: label },
    startsAt: isoWithOffset(site.zones, start, timezone),
    endsAt: isoWithOffset(site.zones, end, timezone),
    zone: timezone === site.options.timezone || label !== undefined ? '' : event.timezone_abbr,
    get badge() {
      return dates.badge(start);
    },
    place: venue && !isHidden ? [titleOf(venue), ...(town === '' ? [] : [lineOf(town)])] : [],
    get cost() {
      return event.cost === '' ? null : costOf(post, reading);
    },
    picture: pictureOf(event.image, thumbnail(post, related), view.single ? 'large' : 'medium'),
    featured: event.featured === true,
    status: STATUS[readText(post, EVENT_FIELDS.event_status)] ?? 'scheduled',
    isPast: isOver(end, reading),
    get classNames() {
      return classesOf(post, related, isHidden);
    },
    get teaser() {
      return event.description === '' && event.excerpt === '' ? null : teaserOf(event.excerpt || event.description);
    },
  };
}
