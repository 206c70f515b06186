import { findAbbreviation } from '../../../base/php/abbreviations.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, eachKind, VENUE_FIELDS, readText, readTexts, readFlag, regionHtml } from '../model/event.js';
import type { LinkedKind } from '../model/event.js';
import { shownLinked } from '../model/linked.js';
import { shownCost, dateOr, storedTimes, timezoneOf, zoneLabel } from '../model/event-dates.js';
import { isInSiteZone } from '../model/options.js';
import { textsOf, type NamedText } from './fields.js';
import { markedTitle } from '../../../wordpress/posts/rendered.js';
import { urlencode } from '../../../base/php/query-string.js';
import { isEmpty } from '../../../base/php/cast.js';
import { escHtml, escUrl } from '../../../wordpress/formatting/sanitize.js';
import type { Post } from '../../../wordpress/model.js';
import { conversionZone, epochOf, wallAt } from '../../../wordpress/timezones.js';
import { isWithheld, postFields, type PostView } from '../../../wordpress/rest/posts/post-fields.js';
import { postTypeFor, type RestType } from '../../../wordpress/rest/posts/post-types.js';
import { restFieldsOf, withRestFields } from '../../../wordpress/rest/rest-fields/shown.js';
import { canEdit } from '../../../wordpress/users/capabilities.js';
import { TEC_V1, EVENT } from '../model/index.js';
import { dateStyle, scheduleDetails, shortScheduleDetails, wholeDays, type ClockTimes } from './schedule.js';
import type { Json } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';
import { onceFor } from '../../../wordpress/types/registry.js';

/** The post types of the namespace, as they are registered. */
export const typesIn = onceFor((registry) => ({
  event: postTypeFor(EVENT, registry),
  ...eachKind((kind) => postTypeFor(LINKED[kind].type, registry)),
}));

type Fields = Record<string, Json>;

const HIDDEN = 'Password protected';

/** TEC: the fields that a password does not hide. */
const OPEN: ReadonlySet<string> = new Set(
  'id date date_gmt guid modified modified_gmt slug status type link title author class_list'.split(' '),
);

/** TEC: the placeholder of a password-protected value, by its type. */
function hidden(value: Json): Json {
  if (typeof value === 'string') return HIDDEN;
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.filter((item) => typeof item !== 'object').map(hidden);
  return value !== null && typeof value === 'object' ? hiddenFields(value) : null;
}

const hiddenFields = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hidden(value)]));

const HIDDEN_DATE = { date: '1970-01-01 00:00:00.000000', timezone_type: 0, timezone: HIDDEN };

const hiddenDates = (dates: Json): Json => Object.fromEntries(Object.keys(dates as Fields).map((name) => [name, HIDDEN_DATE]));

/** The fields of a post that a password hides. */
function withheld(fields: Fields): Fields {
  const shown = Object.entries(fields).map(([name, value]) => {
    if (OPEN.has(name)) return [name, value];
    return [name, name === 'dates' ? hiddenDates(value) : hidden(value)];
  });
  return Object.fromEntries(shown) as Fields;
}

/** How the namespace shows a post. */
export interface TecView extends PostView {
  /** TEC: in lists and in responses to writes, a protected post is hidden from everybody. */
  hidesProtected?: boolean;
  /** TEC: an unknown context shows none of the fields that `wp/v2` has. */
  isUnknownContext?: boolean;
}

/** TEC: the password, or the edit context of those who may edit, opens a post that is read alone. */
const isHidden = (post: Post, view: TecView): boolean =>
  isWithheld(post, view.hidesProtected ? { ...view, context: 'view', password: null } : view);

/** TEC: the CSS classes show that the password was sent. */
function openClasses(classes: Json, hasImage: boolean): Json {
  if (!Array.isArray(classes)) return classes;
  return classes.flatMap((name) =>
    name === 'post-password-required' ? ['post-password-protected', ...(hasImage ? ['has-post-thumbnail'] : [])] : [name],
  );
}

/** The fields of every post, as in `wp/v2`, without meta. */
function common(post: Post, type: RestType, view: TecView): Fields {
  if (view.isUnknownContext) return {};
  const { meta: _meta, ...fields } = postFields(post, type, view);
  for (const { name, isPerRequest } of restFieldsOf(view.site.registry, type.name)) if (isPerRequest) delete fields[name];
  if (fields.class_list === undefined || isHidden(post, view)) return fields;
  return { ...fields, class_list: openClasses(fields.class_list, fields.featured_media !== 0) };
}

/** A post of another plugin as the namespace shows it. @param own its further fields */
export const presentPlainPost = (post: Post, type: RestType, view: TecView, own: Fields): Fields =>
  finished({ ...common(post, type, view), ...own }, post, view);

/** With the fields that plugins add to this namespace only; what they add to `wp/v2` is among those of every post. */
function finished(own: Fields, post: Post, view: TecView): Fields {
  const fields = withRestFields(own, post, post.type, view, () => canEdit(view.user, post, view.site.registry), TEC_V1);
  return isHidden(post, view) ? withheld(fields) : fields;
}

/** TEC: the address of a venue for a map, escaped for an attribute. */
function directions(venue: Post): string {
  const { address, city, zip, country, ...region } = readTexts(venue, VENUE_FIELDS);
  const lines = [escHtml(address), escHtml(city), regionHtml({ ...region, country }), escHtml(zip), escHtml(country)];
  const query = urlencode(
    lines
      .filter((part) => !isEmpty(part))
      .join(' ')
      .trim(),
  );
  return query === '' ? '' : `https://maps.google.com/maps?f=q&#038;source=s_q&#038;hl=en&#038;geocode=&#038;q=${query}`;
}

/** TEC: email addresses and the websites of venues are shown as stored. */
const isRaw = (kind: LinkedKind, { field }: NamedText): boolean => field.kind === 'email' || (kind === 'venue' && field.kind === 'url');

/** The texts of a venue or an organizer. */
const linkedTexts = (post: Post, kind: LinkedKind): Fields =>
  Object.fromEntries(
    textsOf(kind).map((text) => {
      const stored = readText(post, text.field);
      const shown = text.field.kind === 'url' ? escUrl : escHtml;
      return [text.name, isRaw(kind, text) ? stored : shown(stored)];
    }),
  );

/** TEC: a venue has a link for directions, before its website. */
function withDirections({ website, ...texts }: Fields, venue: Post): Fields {
  return { ...texts, directions_link: directions(venue), website };
}

/** A venue or an organizer as the namespace shows it. TEC: the e-mail address of an organizer is shown to everybody. */
export function presentPlainLinked(kind: LinkedKind, post: Post, view: TecView): Fields {
  const texts = linkedTexts(post, kind);
  const own = kind === 'venue' ? withDirections(texts, post) : texts;
  return finished({ ...common(post, typesIn(view.site.registry)[kind], view), ...own }, post, view);
}

/** PHP: an offset, an abbreviation, or the name of a region. */
function kindOfZone(zone: string): 1 | 2 | 3 {
  if (/^[+-]\d\d:\d\d$/.test(zone)) return 1;
  return zone !== 'UTC' && findAbbreviation(zone) ? 2 : 3;
}

/** A time in the form of PHP's serialized dates. */
const dateObject = (wall: string, zone: string): Json => ({ date: `${wall}.000000`, timezone_type: kindOfZone(zone), timezone: zone });

interface Times extends ClockTimes {
  startUtc: string;
  endUtc: string;
  /** Start and end, in epoch seconds. */
  from: number;
  to: number;
  /** The zone of the local times, as text and as the region used for conversion (TEC). */
  timezone: string;
  region: string;
}

function timesOf(post: Post, site: Site): Times {
  const { occurrence } = post;
  const stored = storedTimes(post);
  const [start, end, startUtc, endUtc] = (['start', 'end', 'startUtc', 'endUtc'] as const).map((edge) =>
    dateOr(stored[edge], occurrence?.[edge]),
  );
  const timezone = timezoneOf(post, site.options.timezone);
  const zone = conversionZone(site.zones, timezone);
  const [from, to] = [start, end].map((wall) => epochOf(wall, zone) ?? 0);
  const allDay = readFlag(post, EVENT_FIELDS.all_day);
  return { start, end, startUtc, endUtc, from, to, timezone, region: zone.name, allDay };
}

/** TEC: a time in the zone of the event, in UTC, in the zone of the site, and in the display zone. */
function datesOf(times: Times, { options, zones }: Site): Json {
  const bySite = isInSiteZone(options);
  const siteZone = conversionZone(zones, options.timezone);
  const edge = (name: 'start' | 'end', wall: string, utc: string, moment: number): Fields => {
    const own = dateObject(wall, times.region);
    const onSite = dateObject(wallAt(moment, siteZone), siteZone.name);
    return {
      [name]: own,
      [`${name}_utc`]: dateObject(utc, 'UTC'),
      [`${name}_site`]: onSite,
      [`${name}_display`]: bySite ? onSite : own,
    };
  };
  return { ...edge('start', times.start, times.startUtc, times.from), ...edge('end', times.end, times.endUtc, times.to) };
}

/** TEC: a string if it is stored, a number if it is computed from the dates. */
function durationOf(post: Post, { from, to }: Times): Json {
  const stored = readText(post, EVENT_FIELDS.duration);
  return !isEmpty(stored) ? stored : to - from;
}

/** Whether an event takes place. TEC: its local times are taken for times of the site. */
function isNow({ start, end }: Times, { clock, options, zones }: Site): boolean {
  const zone = conversionZone(zones, options.timezone);
  return clock.hasReached(epochOf(start, zone) ?? 0) && !clock.hasReached((epochOf(end, zone) ?? 0) + 1);
}

/** TEC: password-protected events have no schedule, even with the password. */
function scheduleOf(post: Post, times: Times, site: Site): Fields {
  if (post.password !== '') return { schedule_details: '', short_schedule_details: '' };
  const style = dateStyle(site);
  const siteZone = conversionZone(site.zones, site.options.timezone);
  const shown = isInSiteZone(site.options) ? { start: wallAt(times.from, siteZone), end: wallAt(times.to, siteZone) } : {};
  const span = { ...times, ...shown, zone: zoneLabel(post, site) };
  return { schedule_details: scheduleDetails(span, style), short_schedule_details: shortScheduleDetails(span, style) };
}

/** How to show linked posts of an event. TEC: the password of the event unlocks them, and they are in the same context. */
const linkedView = (event: Post, view: TecView): TecView => {
  const isOpened = event.password !== '' && view.site.quirks.has('tec-v1-password-opens-linked');
  const context = view.site.quirks.has('tec-v1-shows-raw-texts') ? view.context : 'view';
  return { ...view, context, ...(isOpened ? { password: { opens: () => true } } : {}) };
};

/** An event as the namespace shows it. TEC: linked posts are complete, with any status; the fields about weeks are never set. */
export function presentPlainEvent(post: Post, view: TecView): Fields {
  const { site } = view;
  const times = timesOf(post, site);
  const links = eachKind((kind) => shownLinked(post, kind, view));
  const fields: Fields = {
    ...common(post, typesIn(site.registry).event, view),
    start_date: times.start,
    start_date_utc: times.startUtc,
    end_date: times.end,
    end_date_utc: times.endUtc,
    dates: datesOf(times, site),
    timezone: times.timezone,
    duration: durationOf(post, times),
    multiday: wholeDays(times, site.options.calendar.multiDayCutoff),
    // TEC: an event is past as soon as it has begun.
    is_past: site.clock.hasReached(times.from + 1),
    is_now: isNow(times, site),
    all_day: times.allDay,
    starts_this_week: null,
    ends_this_week: null,
    this_week_duration: null,
    happens_this_week: null,
    displays_on: [],
    featured: readFlag(post, EVENT_FIELDS.featured),
    sticky: post.menuOrder === -1,
    cost: shownCost(post, view).cost,
    organizer_names: links.organizer.map((organizer) => escHtml(markedTitle(organizer))),
    ...Object.fromEntries(
      LINKED_KINDS.toReversed().map((kind) => [
        LINKED[kind].column,
        links[kind].map((item) => presentPlainLinked(kind, item, linkedView(post, view))),
      ]),
    ),
    ...scheduleOf(post, times, site),
  };
  return finished(fields, post, view);
}
