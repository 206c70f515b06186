import { intval, isNumeric } from '../../../base/php/cast.js';
import { isIntegral, listOf, lookUpAll } from '../../../wordpress/rest/checks.js';
import { canWithPosts } from '../../../wordpress/users/capabilities.js';
import { isValidUrl } from '../../../wordpress/formatting/url.js';
import type { Post, Term } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { existingIds, findBySlug, findPost } from '../../../wordpress/posts/posts.js';
import { findTerm, resolveTerms, type ResolvedTerm } from '../../../wordpress/terms/terms.js';
import { isTimezoneOrEmpty } from '../../../wordpress/timezones.js';
import { isTruthy } from '../model/event.js';
import { isTime, momentAt, readFilterDate, type FilterDate } from '../model/dates.js';
import { Resolved, type CallContext, type Check, type Json, type Arg } from '../../../wordpress/rest/route.js';

type Validator = Check;

/** TEC: `"0"` counts as empty. */
export const nonEmptyString: Validator = (value) => typeof value === 'string' && value !== '' && value !== '0';

/** TEC: a flag that only accepts certain strings. */
export const strictFlag: Validator = (value, context) =>
  context.site.quirks.has('strict-dates-takes-text')
    ? nonEmptyString(value, context)
    : typeof value === 'string' || typeof value === 'boolean' || value === 0 || value === 1;

/** One of two coordinates, in degrees; requires the other. TEC: both are ignored without the pro extension. */
export const coordinate =
  (other: string, most: number): Validator =>
  (value, { site, request }) =>
    site.quirks.has('geoloc-is-ignored') || (isNumeric(value) && Math.abs(Number(value)) <= most && request.get(other) !== undefined);

export const stringOrEmpty: Validator = (value) => typeof value === 'string';

export const filterDate = (value: Json, { site }: CallContext): false | Resolved<FilterDate> => {
  const date = readFilterDate(value, momentAt(site));
  return date ? new Resolved(date) : false;
};

export const time: Validator = (value, { site }) => isTime(value, momentAt(site));

export const timezone: Validator = (value, { site }) => isTimezoneOrEmpty(site.zones, value);

export const writableStatus: Validator = (value, { site }) => typeof value === 'string' && site.registry.findStatus(value) !== undefined;

export const userId: Validator = async (value, { site }) =>
  // WP: this check ignores the fraction of an id; the type check then rejects it.
  isNumeric(value) && (await site.store.users.findOne({ _id: Math.trunc(Number(value)) }, { projection: { _id: 1 } })) !== null;

/** `false`, `0`, `"0"`, `""` and an empty list (PHP: empty). */
export const isEmptyValue = (value: Json): boolean =>
  value === '' || value === '0' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

export const urlOrEmpty: Validator = (value) => isEmptyValue(value) || isValidUrl(value);

const isScalar = (value: Json): value is string | number => typeof value === 'string' || typeof value === 'number';

/** TEC: a number is an id, even if it is the name of a term. */
const isKnown = ({ text, bySlug, byId, byName }: ResolvedTerm): boolean => (isNumeric(text) ? byId : (bySlug ?? byName)) !== undefined;

/** A list of existing terms by slug, id or name. */
export const termList =
  (taxonomy: string) =>
  async (value: Json, { site }: CallContext): Promise<false | Resolved<ResolvedTerm[]>> => {
    const items = listOf(value);
    if (items.length === 0 || !items.every(isScalar)) return false;
    const terms = await lookUpAll(items.map(String), async (texts) => {
      const found = await resolveTerms(site, taxonomy, texts);
      return found.every(isKnown) ? found : null;
    });
    return terms !== null && new Resolved(terms);
  };

export const postId =
  (type: string): Validator =>
  async (value, { site }) =>
    isIntegral(value) && (await existingIds(site.store, type, [Number(value)])).size === 1;

export const positiveIntList = (value: Json): false | Resolved<number[]> => {
  const items = listOf(value);
  const isFine = items.length > 0 && items.every((item) => isIntegral(item) && Number(item) > 0);
  return isFine && new Resolved([...new Set(items.map(Number))]);
};

/** The slug of an existing post of a type, in any spelling that leads to it. */
export const slugOf =
  (type: string): Validator =>
  async (value, { site }) =>
    typeof value === 'string' && (await findBySlug(site, type, value)) !== null;

/** Statuses as a list. TEC: spaces are significant, except next to a comma. */
export const statusList = (value: Json): Json[] =>
  typeof value === 'string' ? value.split(/\s*,\s*/).filter((status) => status !== '') : listOf(value);

/** TEC: readers may only request published items; users who may edit, every registered status. `any` is not a registered status. */
export const listStatus: Validator = (value, { request, site }: CallContext) => {
  const statuses = statusList(value);
  if (!canWithPosts(request.user, 'edit')) return statuses.length === 1 && statuses[0] === 'publish';
  const isListed = (status: string): boolean =>
    site.registry.findStatus(status) !== undefined || (status === 'any' && !site.quirks.has('status-any-is-refused'));
  return statuses.every((status) => typeof status === 'string' && isListed(status));
};

/** TEC: a filter for events with tickets requires the ticket plugin, one for events without does not. The type rejects other values. */
export const ticketed: Validator = (value, { site }) =>
  site.registry.hooks('ticketedEvents').length > 0 || !site.quirks.has('ticketed-needs-plugin') || !isTruthy(value)
    ? true
    : { message: 'Event Tickets plugin is not activated.', code: 'event-tickets-not-active', data: { status: 400 } };

/** One existing event, by id. PHP: only the number at the start of a text counts (`35,39`); the type then rejects all but integers. */
export const event = async (value: Json, { site }: CallContext): Promise<false | Resolved<Post>> => {
  const post = isScalar(value) ? await findPost(site.store, intval(value)) : null;
  return post?.type === EVENT && new Resolved(post);
};

/** Existing terms of a taxonomy, by slug or id. TEC: a list passes too; the type then rejects it. */
export const existingTerm = (taxonomy: string): Validator => {
  const list = termList(taxonomy);
  return async (value, context) => (await list(value, context)) !== false;
};

/** An existing term of a taxonomy by id only. */
export const termById =
  (taxonomy: string) =>
  async (value: Json, { site }: CallContext): Promise<false | Resolved<Term>> => {
    const term = isIntegral(value) ? await findTerm(site.store, taxonomy, Number(value)) : null;
    return term !== null && new Resolved(term);
  };

type Kind<Value> = [Value] extends [boolean]
  ? 'boolean'
  : [Value] extends [number]
    ? 'integer' | 'number'
    : [Value] extends [string]
      ? 'string'
      : never;

type OfKind<Value> = Omit<Arg, 'type' | 'required'> & { type?: Kind<NonNullable<Value>> };

/** An optional argument. Its type is declared, or left to its check. */
type ArgOf<Value> = OfKind<Value> & { required?: false };

export type TextArg = ArgOf<string>;

/** The table that declares exactly the parameters of a type: the same names, matching kinds, and the same required parameters. */
export type ArgsOf<Params> = {
  [Name in keyof Params]-?: undefined extends Params[Name] ? ArgOf<Params[Name]> : OfKind<Params[Name]> & { required: true };
};
