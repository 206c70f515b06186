import { isEmpty, isNumeric, intval, toStr } from '../../../base/php/cast.js';
import { mysqlDate } from '../../../base/php/date.js';
import { parseDate, strtotime } from '../../../base/php/strtotime.js';
import { inZone, isInstant, isTime, momentAt } from '../model/dates.js';
import { listOf, postList } from '../../../wordpress/rest/checks.js';
import { sanitizeSearch, sanitizeTextField } from '../../../wordpress/formatting/sanitize.js';
import { isEmail } from '../../../wordpress/formatting/email.js';
import { isValidUrl } from '../../../wordpress/formatting/url.js';
import { escUrlRaw } from '../../../wordpress/formatting/entities.js';
import { isTimezoneOrEmpty, zoneOf } from '../../../wordpress/timezones.js';
import {
  invalidQueryParameter,
  isTyped,
  isUnchecked,
  markUnstorable,
  stopsAtFirstError,
  verdictOn,
  type CheckResult,
  type CheckProblem,
} from './checking.js';
import { Resolved, type Arg, type ArgError, type ArgType, type CallContext, type Json } from '../../../wordpress/rest/route.js';
import type { Post } from '../../../wordpress/model.js';
import { findPosts } from '../../../wordpress/posts/posts.js';
import type { Site } from '../../../wordpress/site.js';
import { LINKED, eachKind, type LinkColumn } from '../model/event.js';

/** An argument without its name, which its errors contain. */
type DeclaredByName<A extends Arg = Arg> = (name: string) => A;

export const namedArgs = <Table extends Record<string, DeclaredByName>>(
  declared: Table,
): { [Name in keyof Table]: ReturnType<Table[Name]> } =>
  Object.fromEntries(Object.entries(declared).map(([name, declare]) => [name, declare(name)])) as {
    [Name in keyof Table]: ReturnType<Table[Name]>;
  };

/** TEC: the details repeat the message. */
const notA = (name: string, kind: string, wanted: string): CheckProblem => ({
  name,
  kind,
  rule: `be ${wanted}`,
  details: (what) => `The ${what} \`{${name}}\` is not ${wanted}.`,
});

type Shown = Partial<Omit<Arg, 'description' | 'type' | 'validate' | 'sanitize'>>;

interface Kind<Value extends Json> {
  type: ArgType;
  check: (value: Json, context: CallContext, name: string) => CheckResult;
  /** Whether an unchecked value can be stored. Default: any value can. */
  isStorable?: (value: Json, context: CallContext) => boolean;
  clean: (value: Json, context: CallContext) => Value;
}

export interface DeclaredArg<Value extends Json> {
  description: string;
  type: ArgType;
  validate: (value: Json, context: CallContext) => boolean | ArgError;
  sanitize: (value: Json, context: CallContext) => Value;
}

const declare =
  <Value extends Json>({ type, check, isStorable = () => true, clean }: Kind<Value>) =>
  <S extends Shown = object>(description: string, shown?: S): DeclaredByName<NoInfer<S> & DeclaredArg<Value>> =>
  (name) =>
    ({
      description,
      type,
      ...shown,
      validate: (value, context) => {
        if (!isUnchecked(context)) return verdictOn(check(value, context, name), name, context);
        if (!isStorable(value, context)) markUnstorable(context.request);
        return true;
      },
      // JSON's null stays null: it counts as not sent.
      sanitize: (value, context) => (value === null ? null : clean(value, context)),
    }) as NoInfer<S> & DeclaredArg<Value>;

const isText = (value: Json): value is string => typeof value === 'string';

const isScalar = (value: Json): boolean => typeof value !== 'object';

/** TEC: all texts are sanitized to one line without markup. */
const cleanLine = (value: Json): string => sanitizeTextField(toStr(value));

export const textArg = declare({ type: 'string', check: isText, isStorable: isScalar, clean: cleanLine });

const searchText = declare({ type: 'string', check: isText, isStorable: isScalar, clean: (value) => sanitizeSearch(toStr(value)) });

export const searchArg = searchText('Only results that contain these words.');

/** PHP: a number is an integer if it equals its integer part; beyond 64 bits this part is the largest integer, as a float. */
const isIntegral = (value: Json): boolean => isNumeric(value) && Number.isInteger(Number(value)) && Math.abs(Number(value)) <= 2 ** 63;

const isPositive = (value: Json): boolean => isIntegral(value) && Number(value) > 0;

/** TEC: older releases reject all but integers without a reason. */
function checkPositive(value: Json, context: CallContext, name: string): CheckResult {
  if (!isIntegral(value) && stopsAtFirstError(context)) return false;
  return (isPositive(value) && isTyped(value, context, name)) || notA(name, 'positive_integer', 'a positive integer');
}

export const positive = declare({ type: 'integer', check: checkPositive, clean: intval });

export const integer = declare({
  type: 'integer',
  check: (value, context, name) => (isIntegral(value) && isTyped(value, context, name)) || notA(name, 'integer', 'an integer'),
  clean: intval,
});

export const number = declare({
  type: 'number',
  check: (value, _context, name) => isNumeric(value) || notA(name, 'number', 'a number'),
  clean: (value) => Number(value),
});

/** TEC: larger sizes are reduced to the maximum instead of being rejected. */
export const pageSizeArg = <S extends Shown & { maximum: number }>(description: string, shown: S) =>
  declare({ type: 'integer', check: checkPositive, clean: (value) => Math.min(intval(value), shown.maximum) })(description, shown);

const FLAGS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

const flagOf = (value: Json): boolean | undefined =>
  typeof value === 'object' || !Object.hasOwn(FLAGS, String(value).toLowerCase()) ? undefined : FLAGS[String(value).toLowerCase()];

const castsFlags = ({ site }: CallContext): boolean => site.quirks.has('tec-v1-casts-booleans');

export const flagArg = declare({
  type: 'boolean',
  check: (value, context, name) => castsFlags(context) || flagOf(value) !== undefined || notA(name, 'boolean', 'a boolean'),
  clean: (value, context) => (castsFlags(context) ? !isEmpty(value) : (flagOf(value) ?? false)),
});

/** A date as `strtotime` reads it. TEC: a number is a timestamp. */
const dateText = (value: string): string => (isNumeric(value) ? `@${value}` : value);

/** The time of a date in a filter, in epoch seconds; null if it is invalid. Without a zone it is in site time. */
export const momentOnSite = (value: string, site: Site): number | null =>
  strtotime(dateText(value), inZone(momentAt(site), zoneOf(site.zones, site.options.timezone).name));

const notParsed = (name: string): CheckProblem => ({
  name,
  kind: 'date_time',
  rule: 'be a date-time',
  details: (what) => `We cannot parse the ${what} \`{${name}}\` as a date-time.`,
});

const keep = (value: Json): string => toStr(value);

/** A date in a filter: any text that can be read as one. */
const moment = (description: string) =>
  declare({
    type: 'string',
    check: (value, { site }, name) =>
      (isText(value) && isInstant(value, momentAt(site)) && momentOnSite(value, site) !== null) || {
        ...notParsed(name),
        isCritical: true,
      },
    clean: keep,
  })(description, { format: 'date-time' });

const INSTANT = String.raw`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::\d{2})?)?$`;
const WALL_TIME = '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$';

const notMatching = (name: string, pattern: string): CheckProblem => ({
  name,
  kind: 'date_time',
  rule: 'match the pattern',
  details: (what) => `The ${what} \`{${name}}\` does not match the pattern \`${pattern}\`.`,
});

const isDate = (value: Json, { site }: CallContext): boolean => isText(value) && isTime(value, momentAt(site));

/** An unchecked date in its stored form. PHP: missing parts are filled in by the zone in the date. TEC: otherwise the zone is ignored. */
function readLoosely(value: Json, { site }: CallContext): string {
  const read = (zone: string) => parseDate(dateText(toStr(value)), { now: site.clock.seconds(), zones: site.zones, zone });
  const date = read(zoneOf(site.zones, site.options.timezone).name);
  const inOwnZone = date?.explicitZone ? read(date.explicitZone) : date;
  return inOwnZone ? mysqlDate(inOwnZone.wall) : '';
}

const dateLike = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (description: string) =>
    declare({
      type: 'string',
      check: (value, { site }, name) => {
        if (!isText(value) || !expression.test(value)) return notMatching(name, pattern);
        return isTime(value, momentAt(site)) || notParsed(name);
      },
      isStorable: isDate,
      clean: (value, context) => (isText(value) && expression.test(value) ? value : readLoosely(value, context)),
    })(description, { format: 'date-time', pattern });
};

/** A date with its time, and optionally a zone. */
export const instantArg = dateLike(INSTANT);

export const wallTime = dateLike(WALL_TIME);

const isZone = (value: Json, { site }: CallContext): value is string => isText(value) && isTimezoneOrEmpty(site.zones, value);

export const zone = declare({ type: 'string', check: isZone, clean: (value, context) => (isZone(value, context) ? value : '') });

/** An empty text, which removes the stored value. TEC: rejected for URLs and email addresses. */
const isRemoval = (value: Json, { site }: CallContext): boolean => value === '' && !site.quirks.has('tec-v1-writes-loosely');

/** An address, or nothing. */
export const url = declare({
  type: 'string',
  check: (value, context, name) => isRemoval(value, context) || isValidUrl(value) || notA(name, 'uri', 'a valid URL'),
  // TEC: unchecked values are not sanitized either.
  clean: (value, context) => (isUnchecked(context) ? toStr(value) : escUrlRaw(toStr(value))),
});

export const email = declare({
  type: 'string',
  check: (value, context, name) =>
    isRemoval(value, context) || (isText(value) && isEmail(value)) || notA(name, 'email', 'a valid email address'),
  clean: keep,
});

export const choiceArg = <const Choice extends string, S extends Shown = object>(
  description: string,
  words: readonly Choice[],
  shown?: S,
) =>
  declare<NoInfer<Choice>>({
    type: 'string',
    check: (value) => words.some((each) => each === value),
    isStorable: isScalar,
    clean: (value) => toStr(value) as NoInfer<Choice>,
  })(description, { enum: [...words], ...shown } as { enum: NoInfer<Choice>[] } & NoInfer<S>);

const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** Members of a list, or of a comma-separated text. TEC: without trimming. */
function membersOf(value: Json): Json[] {
  if (typeof value === 'string') return value.split(',');
  return value !== null && typeof value === 'object' ? Object.values(value) : [];
}

/** TEC: neither a text without a comma nor a number is a list. */
const isList = (value: Json): boolean => (typeof value === 'string' ? value.includes(',') : value !== null && typeof value === 'object');

const numbers = (value: Json): number[] => unique(listOf(value).map(intval));

/** The ids that are posts of a type. */
const someOf = async (type: string, wanted: number[], { site }: CallContext): Promise<Post[]> =>
  (await findPosts(site.store, wanted)).filter((post) => post.type === type);

const IDS = { items: { type: 'integer' }, uniqueItems: true } as const satisfies Shown;

/** Ids, existing or not. TEC: the error of an invalid member names `example`. @param isChecked whether they are validated */
export const idsArg = (description: string, isChecked: (context: CallContext) => boolean = () => true) =>
  declare({
    type: 'array',
    check: (value, context, name) => {
      if (!isChecked(context)) return true;
      if (!isList(value)) return isPositive(value) && !context.site.quirks.has('tec-v1-filters-do-nothing');
      const isMember = (member: Json): boolean => isPositive(member) && isTyped(member, context, name);
      return membersOf(value).every(isMember) || notA('example', 'positive_integer', 'a positive integer');
    },
    clean: numbers,
  })(description, IDS);

/** Ids of existing posts, or one of them. */
const existingArg = (description: string, type: string) => (name: string) =>
  ({
    description,
    type: 'array',
    ...IDS,
    validate: async (value: Json, context: CallContext): Promise<false | Resolved<Post[]>> => {
      if (isUnchecked(context)) return new Resolved(await someOf(type, numbers(value), context));
      const found = await postList(type)(value, context);
      if (found === false && stopsAtFirstError(context)) throw invalidQueryParameter(name);
      return found;
    },
    sanitize: (value: Json): Json => (value === null ? null : numbers(value)),
  }) as const;

/** One or several of a set of words, in a list or with commas. */
const choices = <S extends Shown = object>(description: string, all: string[], shown?: S) =>
  declare({
    type: 'array',
    check: (value) => {
      const words = membersOf(value);
      return words.length > 0 && words.every((word) => isText(word) && all.includes(word));
    },
    clean: (value) => unique(membersOf(value).map(toStr)),
  })(description, { items: { type: 'string', enum: all }, uniqueItems: true, ...shown } as { uniqueItems: true } & NoInfer<S>);

/** PHP: values that count as not sent. */
export const isNothing = (value: Json | undefined): boolean => value === undefined || isEmpty(value);

export const STATUSES = ['publish', 'pending', 'draft', 'future', 'private'];

const paging = {
  page: positive('Page of results to return.', { default: 1, minimum: 1 }),
  per_page: pageSizeArg('Number of results per page.', {
    default: ({ options }) => Math.trunc(Number(options.postsPerPage)) || 10,
    maximum: 100,
    minimum: 1,
  }),
};

const status = choices('Only results with these statuses.', STATUSES, { default: ['publish'] });

/** TEC: older releases accept any categories and tags. */
const checksTerms = (context: CallContext): boolean => !stopsAtFirstError(context);

/** Parameters of the list of events, in the order of the wire. */
export const EVENT_LIST_PARAMS = namedArgs({
  ...paging,
  start_date: moment('Only events that start at or after this time.'),
  end_date: moment('Only events that end at or before this time.'),
  search: searchArg,
  categories: idsArg('Only posts with these terms: event categories.', checksTerms),
  tags: idsArg('Only posts with these terms: tags.', checksTerms),
  ...eachKind((kind) => existingArg(LINKED[kind].filter, LINKED[kind].type)),
  featured: flagArg('Only featured events (true), or only other events (false).'),
  status,
  post_parent: positive('Only child events of this event, by ID.'),
  starts_before: moment('Only events that start before this date.'),
  starts_after: moment('Only events that start after this date.'),
  ends_before: moment('Only events that end before this date.'),
  ends_after: moment('Only events that end after this date.'),
  ticketed: flagArg('Only events with tickets (true), or only events without tickets (false).'),
  orderby: choiceArg('Field to sort by.', ['date', 'event_date', 'title', 'menu_order', 'modified'], { default: 'event_date' }),
  order: choiceArg('Sort order.', ['ASC', 'DESC'], { default: 'ASC' }),
});

export const linkedListParams = (what: LinkColumn) =>
  namedArgs({
    ...paging,
    search: searchArg,
    event: positive(`Only ${what} of this event, by ID.`),
    has_events: flagArg(`Only ${what} with events (true), or only ${what} without events (false).`),
    only_with_upcoming: flagArg(`Only ${what} with upcoming events.`),
    status,
  });
