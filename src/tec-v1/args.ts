import { isEmpty, isNumeric, intval, toStr } from '../php/cast.js';
import { strtotime } from '../php/strtotime.js';
import { isTime } from '../tec/dates.js';
import { listOf, postList } from '../rest/checks.js';
import { sanitizeTextField } from '../wp/formatting/sanitize.js';
import { isEmail } from '../wp/formatting/email.js';
import { isValidUrl } from '../wp/formatting/url.js';
import { escUrlRaw } from '../wp/formatting/esc-url.js';
import { isTimezoneOrEmpty, zoneOf } from '../wp/timezones.js';
import type { Arg, ArgError, ArgType, CallContext, Json } from '../rest/route.js';
import type { Site } from '../wp/site.js';

/** An argument that does not know its name yet; its rejections contain the name. */
export type Declared<A extends Arg = Arg> = (name: string) => A;

/** Arguments that know their names. */
export const named = <Table extends Record<string, Declared>>(declared: Table): { [Name in keyof Table]: ReturnType<Table[Name]> } =>
  Object.fromEntries(Object.entries(declared).map(([name, declare]) => [name, declare(name)])) as {
    [Name in keyof Table]: ReturnType<Table[Name]>;
  };

/** A rejection with its own code. @param code the part of its code that names the kind of argument @param rule what the value must do */
const rejection = (name: string, code: string, rule: string, details: string): ArgError => ({
  code: `tec_rest_invalid_${code}_argument`,
  message: `Argument \`{${name}}\` must ${rule}.`,
  data: { status: 400, argument: name, details },
});

/** TEC: the details repeat the message. */
const notA = (name: string, code: string, wanted: string): ArgError =>
  rejection(name, code, `be ${wanted}`, `The argument \`{${name}}\` is not ${wanted}.`);

type Verdict = boolean | ArgError;

type Shown = Partial<Omit<Arg, 'description' | 'type' | 'validate' | 'sanitize'>>;

interface Kind<Value extends Json> {
  type: ArgType;
  check: (value: Json, context: CallContext, name: string) => Verdict;
  clean: (value: Json, context: CallContext) => Value;
}

export interface DeclaredArg<Value extends Json> {
  description: string;
  type: ArgType;
  validate: (value: Json, context: CallContext) => Verdict;
  sanitize: (value: Json, context: CallContext) => Value;
}

const declare =
  <Value extends Json>({ type, check, clean }: Kind<Value>) =>
  <S extends Shown = object>(description: string, shown?: S): Declared<NoInfer<S> & DeclaredArg<Value>> =>
  (name) =>
    ({
      description,
      type,
      ...shown,
      validate: (value, context) => check(value, context, name),
      // JSON's null stays null: it counts as not sent.
      sanitize: (value, context) => (value === null ? null : clean(value, context)),
    }) as NoInfer<S> & DeclaredArg<Value>;

const isText = (value: Json): value is string => typeof value === 'string';

/** TEC: all texts are cleaned like a line of text: without markup and line breaks. */
const cleanLine = (value: Json): string => sanitizeTextField(toStr(value));

export const text = declare({ type: 'string', check: isText, clean: cleanLine });

/** PHP: a number is an integer if it equals its integer part; beyond 64 bits that is the largest integer, as a float. */
const isIntegral = (value: Json): boolean => isNumeric(value) && Number.isInteger(Number(value)) && Math.abs(Number(value)) <= 2 ** 63;

const isPositive = (value: Json): boolean => isIntegral(value) && Number(value) > 0;

const checkPositive = (value: Json, _context: CallContext, name: string): Verdict =>
  isPositive(value) || notA(name, 'positive_integer', 'a positive integer');

export const positive = declare({ type: 'integer', check: checkPositive, clean: intval });

/** TEC: a size above the maximum is not rejected but reduced to it. */
export const pageSize = <S extends Shown & { maximum: number }>(description: string, shown: S) =>
  declare({ type: 'integer', check: checkPositive, clean: (value) => Math.min(intval(value), shown.maximum) })(description, shown);

const FLAGS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

const flagOf = (value: Json): boolean | undefined =>
  typeof value === 'object' || !Object.hasOwn(FLAGS, String(value).toLowerCase()) ? undefined : FLAGS[String(value).toLowerCase()];

const castsFlags = ({ site }: CallContext): boolean => site.quirks.has('tec-v1-casts-booleans');

export const flag = declare({
  type: 'boolean',
  check: (value, context, name) => castsFlags(context) || flagOf(value) !== undefined || notA(name, 'boolean', 'a boolean'),
  clean: (value, context) => (castsFlags(context) ? !isEmpty(value) : (flagOf(value) ?? false)),
});

/** A date as `strtotime` reads it. TEC: a number is a timestamp. */
const dateText = (value: string): string => (isNumeric(value) ? `@${value}` : value);

/** The moment of a date in a filter, in epoch seconds; null for an invalid one. Without a zone it is on the site's clock. */
export const momentOf = (value: string, { clock, options }: Site): number | null =>
  strtotime(dateText(value), { now: clock.seconds(), zone: zoneOf(options.timezone).name });

const notParsed = (name: string): ArgError =>
  rejection(name, 'date_time', 'be a date-time', `We cannot parse the argument \`{${name}}\` as a date-time.`);

const keep = (value: Json): string => toStr(value);

/** A date in a filter: any text that can be read as one. */
export const moment = (description: string) =>
  declare({
    type: 'string',
    check: (value, { site }, name) =>
      (isText(value) && isTime(value, { now: site.clock.seconds() }) && momentOf(value, site) !== null) || notParsed(name),
    clean: keep,
  })(description, { format: 'date-time' });

const INSTANT = String.raw`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::\d{2})?)?$`;
const WALL_TIME = '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$';

const notMatching = (name: string, pattern: string): ArgError =>
  rejection(name, 'date_time', 'match the pattern', `The argument \`{${name}}\` does not match the pattern \`${pattern}\`.`);

const dateLike = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (description: string) =>
    declare({
      type: 'string',
      check: (value, { site }, name) => {
        if (!isText(value) || !expression.test(value)) return notMatching(name, pattern);
        return isTime(value, { now: site.clock.seconds() }) || notParsed(name);
      },
      clean: keep,
    })(description, { format: 'date-time', pattern });
};

/** A date with its time, and optionally a zone. */
export const instant = dateLike(INSTANT);

/** A date with its time, on some clock. */
export const wallTime = dateLike(WALL_TIME);

export const zone = declare({ type: 'string', check: (value) => isText(value) && isTimezoneOrEmpty(value), clean: keep });

/** An address, or nothing (TEC: an empty text removes the stored one). */
export const url = declare({
  type: 'string',
  check: (value, _context, name) => value === '' || isValidUrl(value) || notA(name, 'uri', 'a valid URL'),
  clean: (value) => escUrlRaw(toStr(value)),
});

export const email = declare({
  type: 'string',
  check: (value, _context, name) => value === '' || (isText(value) && isEmail(value)) || notA(name, 'email', 'a valid email address'),
  clean: keep,
});

export const choice = <const Choice extends string, S extends Shown = object>(description: string, words: readonly Choice[], shown?: S) =>
  declare<NoInfer<Choice>>({
    type: 'string',
    check: (value) => words.some((each) => each === value),
    clean: (value) => value as NoInfer<Choice>,
  })(description, { enum: [...words], ...shown } as { enum: NoInfer<Choice>[] } & NoInfer<S>);

const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** Members of a list, or of a text that is one by its commas. TEC: nothing is trimmed. */
function membersOf(value: Json): Json[] {
  if (typeof value === 'string') return value.split(',');
  return value !== null && typeof value === 'object' ? Object.values(value) : [];
}

/** TEC: a text without a comma is no list, and neither is a number. */
const isList = (value: Json): boolean => (typeof value === 'string' ? value.includes(',') : value !== null && typeof value === 'object');

const numbers = (value: Json): number[] => unique(listOf(value).map(intval));

const IDS = { items: { type: 'integer' }, uniqueItems: true } as const satisfies Shown;

/** Ids, existing or not. TEC: an invalid member is called `example`. */
export const ids = (description: string) =>
  declare({
    type: 'array',
    check: (value, { site }) => {
      if (!isList(value)) return isPositive(value) && !site.quirks.has('tec-v1-filters-do-nothing');
      return membersOf(value).every(isPositive) || notA('example', 'positive_integer', 'a positive integer');
    },
    clean: numbers,
  })(description, IDS);

/** Ids of existing posts, or one of them. */
export const existing = (description: string, type: string) => () =>
  ({
    description,
    type: 'array',
    ...IDS,
    validate: postList(type),
    sanitize: (value: Json): Json => (value === null ? null : numbers(value)),
  }) as const;

/** One or several of a set of words, in a list or with commas. */
export const choices = <S extends Shown = object>(description: string, all: string[], shown?: S) =>
  declare({
    type: 'array',
    check: (value) => {
      const words = membersOf(value);
      return words.length > 0 && words.every((word) => isText(word) && all.includes(word));
    },
    clean: (value) => unique(membersOf(value).map(toStr)),
  })(description, { items: { type: 'string', enum: all }, uniqueItems: true, ...shown } as { uniqueItems: true } & NoInfer<S>);

/** PHP: what counts as not given. */
export const isNothing = (value: Json | undefined): boolean => value === undefined || isEmpty(value);
