import { isNumeric } from '../php/cast.js';
import { canWithPosts } from '../wp/users/capabilities.js';
import { phpTrim } from '../wp/formatting/strip-tags.js';
import { isValidUrl } from '../wp/formatting/url.js';
import { isRegisteredStatus } from '../wp/model.js';
import { EVENT } from '../tec/index.js';
import { existingIds, findBySlug } from '../wp/posts.js';
import { resolveTerms, type ResolvedTerm } from '../wp/terms.js';
import { isTimezoneOrEmpty } from '../wp/timezones.js';
import { isTime } from '../tec/dates.js';
import type { Arg, CallContext, Json } from '../rest/route.js';

type Validator = NonNullable<Arg['validate']>;

const isIntegral = (value: Json): boolean => isNumeric(value) && Number.isInteger(Number(value));

/** TEC: `"0"` counts as empty. */
export const nonEmptyString: Validator = (value) => typeof value === 'string' && value !== '' && value !== '0';

/** TEC: a flag that only takes text, and not every text. */
export const strictFlag: Validator = (value, context) =>
  context.site.quirks.has('strict-dates-takes-text')
    ? nonEmptyString(value, context)
    : typeof value === 'string' || typeof value === 'boolean' || value === 0 || value === 1;

/** One of two coordinates, in degrees: it needs the other. TEC: without the pro extension neither is looked at. */
export const coordinate =
  (other: string, most: number): Validator =>
  (value, { site, request }) =>
    site.quirks.has('geoloc-is-ignored') || (isNumeric(value) && Math.abs(Number(value)) <= most && request.get(other) !== undefined);

export const stringOrEmpty: Validator = (value) => typeof value === 'string';

export const positiveInt: Validator = (value) => isIntegral(value) && Number(value) > 0;

export const numeric: Validator = (value) => isNumeric(value);

export const time: Validator = (value, { site }) => isTime(value, { now: site.clock.seconds(), siteZone: site.options.timezone });

export const timezone: Validator = (value) => isTimezoneOrEmpty(value);

export const writableStatus: Validator = (value) => typeof value === 'string' && isRegisteredStatus(value);

export const userId: Validator = async (value, { site }) =>
  // WP: what stands behind the point of an id is not looked at; of the type it then is not.
  isNumeric(value) && (await site.store.users.findOne({ _id: Math.trunc(Number(value)) }, { projection: { _id: 1 } })) !== null;

/** `false`, `0`, `"0"`, `""` and an empty list (PHP: empty). */
export const isEmptyValue = (value: Json): boolean =>
  value === '' || value === '0' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

export const urlOrEmpty: Validator = (value) => isEmptyValue(value) || isValidUrl(value);

/** Members of a list that came as CSV or as an array; texts trimmed, empty ones skipped (TEC). */
export function listOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  if (value !== null && typeof value === 'object') return Object.values(value);
  return typeof value === 'string'
    ? value
        .split(',')
        .map(phpTrim)
        .filter((part) => part !== '')
    : [value];
}

const isScalar = (value: Json): value is string | number => typeof value === 'string' || typeof value === 'number';

/** TEC: a number is an id, even where a term is called so. */
const isKnown = ({ text, bySlug, byId, byName }: ResolvedTerm): boolean => (isNumeric(text) ? byId : (bySlug ?? byName)) !== undefined;

/** A list of existing terms by slug, id or name. */
export const termList =
  (taxonomy: string): Validator =>
  async (value, { site }) => {
    const items = listOf(value);
    if (items.length === 0 || !items.every(isScalar)) return false;
    const resolved = await resolveTerms(site.store, taxonomy, items.map(String));
    return resolved.every(isKnown);
  };

/** A list of ids of existing posts of a type, whatever their status. */
export const postIds =
  (type: string): Validator =>
  async (value, { site }) => {
    const items = listOf(value);
    if (items.length === 0 || !items.every(isIntegral)) return false;
    const wanted = [...new Set(items.map(Number))];
    return (await existingIds(site.store, type, wanted)).size === wanted.length;
  };

/** One existing post of a type, by id. */
export const postId =
  (type: string): Validator =>
  async (value, { site }) =>
    isIntegral(value) && (await existingIds(site.store, type, [Number(value)])).size === 1;

export const positiveIntList: Validator = (value) => {
  const items = listOf(value);
  return items.length > 0 && items.every((item) => isIntegral(item) && Number(item) > 0);
};

/** The slug of an existing post of a type, in any spelling that leads to it. */
export const slugOf =
  (type: string): Validator =>
  async (value, { site }) =>
    typeof value === 'string' && (await findBySlug(site.store, type, value)) !== null;

/** TEC: readers may ask for what is published, and only that; those who may edit for every registered status, which `any` is none of. */
export const listStatus: Validator = (value, { request, site }: CallContext) => {
  const statuses = listOf(value);
  if (!canWithPosts(request.user, 'edit')) return statuses.length === 1 && statuses[0] === 'publish';
  const isListed = (status: string): boolean =>
    isRegisteredStatus(status) || (status === 'any' && !site.quirks.has('status-any-is-refused'));
  return statuses.length > 0 && statuses.every((status) => typeof status === 'string' && isListed(status));
};

const YES = [true, 1, 'true', '1'];

/** TEC: asking for events with tickets needs the ticket plugin; asking for those without needs nothing. What is neither is left to the type. */
export const ticketed: Validator = (value, { site }) =>
  !site.quirks.has('ticketed-needs-plugin') || !YES.includes(typeof value === 'string' ? value.toLowerCase() : (value as boolean | number))
    ? true
    : { message: 'Event Tickets plugin is not activated.', code: 'event-tickets-not-active', data: { status: 400 } };

export const eventId = postId(EVENT);

/** One existing term of a taxonomy, by slug or id (TEC). */
export const existingTerm =
  (taxonomy: string): Validator =>
  async (value, { site }) => {
    if (!isScalar(value)) return false;
    return (await resolveTerms(site.store, taxonomy, [String(value)])).every(isKnown);
  };

/** An existing term of a taxonomy by id only. */
export const termId =
  (taxonomy: string): Validator =>
  async (value, { site }) =>
    isIntegral(value) && (await site.store.terms.findOne({ _id: Number(value), taxonomy }, { projection: { _id: 1 } })) !== null;
