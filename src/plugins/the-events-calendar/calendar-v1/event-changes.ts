import { isEmpty } from '../../../base/php/cast.js';
import { textAuthor } from '../../../wordpress/users/text-author.js';
import { cleanMetaText, savePostContent, savePostExcerpt, savePostTitle } from '../../../wordpress/formatting/sanitize.js';
import { TAG, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import { allowedStatus, resaved, slugFor, type PostData } from '../../../wordpress/posts/post-save.js';
import { invalidParams } from '../../../wordpress/rest/route.js';
import { authorFor, type AuthorContext } from '../../../wordpress/rest/posts/author.js';
import type { Options } from '../../../wordpress/options.js';
import { abbreviation } from '../../../wordpress/timezones.js';
import type { StoredCost } from '../model/cost.js';
import { eventDates, type EventDates, type EventDatesInput } from '../model/dates.js';
import { EVENT_FIELDS, EVENT_ORIGIN, OWN_ORIGIN, LINKED, LINKED_KINDS, flagFields, writeFlag } from '../model/event.js';
import type { LinkedKind, FlagField, FlagNames } from '../model/event.js';
import { writeLinks } from '../model/linked.js';
import { writeCost, givenDate, momentOf, storedTimes, writeDates, writeNoDates, type DatingSite } from '../model/event-dates.js';
import { EVENT_CATEGORY } from '../model/index.js';
import type { EventParams } from './event-args.js';

/** A write of an event: its parameters, who sends them, and the settings and the clock of the site. No content is read. */
export interface EventWrite extends AuthorContext {
  params: EventParams;
  site: AuthorContext['site'] & DatingSite & { options: Pick<Options, 'calendar'> };
}

/** The linked posts, terms and image that parameters name, which exist by now, and the cost. */
export interface Referred {
  links: Record<LinkedKind, readonly number[]>;
  /** Undefined: not sent. */
  categories: number[] | undefined;
  tags: number[] | undefined;
  image: number | null;
  cost: StoredCost;
}

/** TEC: every write resets all flags, sent or not. */
const FLAGS = flagFields(EVENT_FIELDS) as readonly (readonly [name: FlagNames<typeof EVENT_FIELDS>, field: FlagField])[];

/** The meta that every write of an event resets, sent or not (TEC), and its dates. */
function metaAfter(meta: MetaRow[], dates: EventDates, { params }: EventWrite, { cost, image, links }: Referred): MetaRow[] {
  let next = dates.dates || storedTimes({ meta }).start !== undefined ? meta : writeNoDates(meta);
  for (const [name, field] of FLAGS) next = writeFlag(next, field, params[name] ?? false);
  next = withMeta(writeCost(next, cost), '_thumbnail_id', image === null ? [] : [String(image)]);
  next = writeDates(next, dates, params.all_day ?? false);
  // TEC: if several posts may be linked and none is sent, all links are removed.
  for (const kind of LINKED_KINDS) if (links[kind].length > 0 || LINKED[kind].many) next = writeLinks(next, kind, links[kind]);
  return next;
}

const datesInput = ({ params, site }: EventWrite): EventDatesInput => ({
  start: params.start_date,
  end: params.end_date,
  timezone: params.timezone === undefined ? null : cleanMetaText(params.timezone),
  allDay: params.all_day ?? false,
  cutoff: site.options.calendar.multiDayCutoff,
});

/** Rejects dates with which the event would end before it starts. TEC stores them. @throws RestError */
export function rejectEarlyEnd(write: EventWrite): void {
  const { dates } = eventDates(datesInput(write), momentOf(write.site));
  if (dates && dates.endUtc < dates.startUtc) throw invalidParams({ end_date: { message: 'The event ends before it starts.' } });
}

/**
 * TEC: an update without both dates keeps the stored ones, except that all-day events are widened to whole days; zone and abbreviation
 * change in any case.
 */
function updatedDates(current: Post, write: EventWrite): EventDates {
  const input = datesInput(write);
  const moment = momentOf(write.site);
  const { start = '', end = '' } = storedTimes(current);
  const sent = eventDates(input, moment);
  if (sent.dates) return sent;
  const whole = { ...input, start: isEmpty(input.start) ? start : input.start, end: isEmpty(input.end) ? end : input.end };
  const widened = input.allDay && eventDates(whole, moment);
  if (widened && widened.dates) return widened;
  return { ...sent, abbr: start === '' ? sent.abbr : abbreviation(write.site.zones, sent.timezone, start) };
}

function websiteText({ params: { website } }: EventWrite): string {
  return website === undefined || website === false || typeof website === 'object' ? '' : cleanMetaText(String(website));
}

type Before = Pick<PostData, 'author' | 'title' | 'content' | 'excerpt' | 'terms'>;

/** The fields that WordPress keeps. @param before what stays unless it is sent */
function fieldsAfter(before: Before, write: EventWrite, { categories, tags }: Referred) {
  const { params, request, site } = write;
  const { title, description, excerpt } = params;
  const rights = textAuthor(request.user, site);
  const status = allowedStatus(request.user, params.status);
  return {
    status,
    author: authorFor(params.author, before.author, write),
    title: title === undefined ? before.title : savePostTitle(title, rights),
    content: description === undefined ? before.content : savePostContent(description, rights),
    excerpt: excerpt === undefined ? before.excerpt : savePostExcerpt(excerpt, rights),
    slug: slugFor(request.user, status, params.slug),
    date: givenDate(params, momentOf(site)),
    menuOrder: params.sticky ? -1 : 0,
    terms: { ...before.terms, ...(categories && { [EVENT_CATEGORY]: categories }), ...(tags && { [TAG]: tags }) },
  };
}

/** A new event. @throws RestError for an author that the caller may not name */
export function newEvent(write: EventWrite, referred: Referred): PostData {
  const origin: MetaRow[] = [{ key: EVENT_ORIGIN, value: OWN_ORIGIN }];
  const meta = metaAfter(origin, eventDates(datesInput(write), momentOf(write.site)), write, referred);
  const website = websiteText(write);
  const nothing = { author: write.request.user?._id ?? 0, title: '', content: '', excerpt: '', terms: {} };
  return {
    ...fieldsAfter(nothing, write, referred),
    // TEC: a new event becomes sticky in a separate update.
    isUpdated: write.params.sticky ?? false,
    password: '',
    // TEC: an event that is created without a website, or with an empty one (PHP: also `0`), shows its permalink.
    meta: isEmpty(website) ? meta : withMeta(meta, EVENT_FIELDS.website.key, [website]),
  };
}

/** An event after an update. TEC: it uses all parameters; most fields that are not sent are reset. @throws RestError as `newEvent` */
export function changedEvent(current: Post, write: EventWrite, referred: Referred): PostData {
  const stored = resaved(current, write.request.user, write.site);
  const meta = metaAfter(current.meta, updatedDates(current, write), write, referred);
  return {
    ...stored,
    ...fieldsAfter(stored, write, referred),
    meta: withMeta(meta, EVENT_FIELDS.website.key, [websiteText(write)]),
  };
}
