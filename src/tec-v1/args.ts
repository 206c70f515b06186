import { isEmpty, isNumeric, intval, toStr } from '../php/cast.js';
import { strtotime } from '../php/strtotime.js';
import { isTime } from '../tec/dates.js';
import { isIntegral, listOf, postList } from '../rest/checks.js';
import { isEmail } from '../wp/formatting/email.js';
import { isValidUrl } from '../wp/formatting/url.js';
import { escUrlRaw } from '../wp/formatting/esc-url.js';
import { isTimezoneOrEmpty, zoneOf } from '../wp/timezones.js';
import type { Arg, ArgError, ArgType, CallContext, Json } from '../rest/route.js';
import type { Site } from '../wp/site.js';

/** An argument that has yet to be told its name, which its refusals say. */
export type Declared<A extends Arg = Arg> = (name: string) => A;

/** Arguments that know their names. */
export const named = <Table extends Record<string, Declared>>(declared: Table): { [Name in keyof Table]: ReturnType<Table[Name]> } =>
  Object.fromEntries(Object.entries(declared).map(([name, declare]) => [name, declare(name)])) as {
    [Name in keyof Table]: ReturnType<Table[Name]>;
  };

/** TEC: a refusal says twice what was wanted. @param code what its code calls the kind of argument */
const refusal = (name: string, code: string, wanted: string): ArgError => ({
  code: `tec_rest_invalid_${code}_argument`,
  message: `Argument \`{${name}}\` must be ${wanted}.`,
  data: { status: 400, argument: name, details: `The argument \`{${name}}\` is not ${wanted}.` },
});

type Shown = Partial<Omit<Arg, 'description' | 'type' | 'validate' | 'sanitize'>>;

interface Kind<Value extends Json> {
  type: ArgType;
  /** Refusal of a value that does not fit; without it the plain one of WordPress. */
  code?: string;
  wanted?: string;
  fits: (value: Json, context: CallContext) => boolean;
  clean: (value: Json) => Value;
}

export interface DeclaredArg<Value extends Json> {
  description: string;
  type: ArgType;
  validate: (value: Json, context: CallContext) => boolean | ArgError;
  sanitize: (value: Json) => Value;
}

const declare =
  <Value extends Json>({ type, code, wanted, fits, clean }: Kind<Value>) =>
  <S extends Shown = object>(description: string, shown?: S): Declared<NoInfer<S> & DeclaredArg<Value>> =>
  (name) =>
    ({
      description,
      type,
      ...shown,
      validate: (value, context) =>
        fits(value, context) || (code === undefined || wanted === undefined ? false : refusal(name, code, wanted)),
      // JSON's null stays what it is: it counts as not sent.
      sanitize: (value) => (value === null ? null : clean(value)),
    }) as NoInfer<S> & DeclaredArg<Value>;

/** A value that was checked to be a text. */
const keep = (value: Json): string => value as string;

const FLAGS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

const flagOf = (value: Json): boolean | undefined =>
  typeof value === 'object' || !Object.hasOwn(FLAGS, String(value).toLowerCase()) ? undefined : FLAGS[String(value).toLowerCase()];

const isPositive = (value: Json): boolean => isIntegral(value) && Number(value) > 0;

const isWhole = (value: Json): boolean => isNumeric(value) && Number.isInteger(Number(value));

const isText = (value: Json): boolean => typeof value === 'string';

export const text = declare({ type: 'string', code: 'text', wanted: 'a string', fits: isText, clean: keep });

export const integer = declare({ type: 'integer', code: 'integer', wanted: 'an integer', fits: isWhole, clean: intval });

export const positive = declare({
  type: 'integer',
  code: 'positive_integer',
  wanted: 'a positive integer',
  fits: isPositive,
  clean: intval,
});

/** TEC: more than a page may hold is not refused but cut. */
export const pageSize = <S extends Shown & { maximum: number }>(description: string, shown: S) =>
  declare({
    type: 'integer',
    code: 'positive_integer',
    wanted: 'a positive integer',
    fits: isPositive,
    clean: (value) => Math.min(intval(value), shown.maximum),
  })(description, shown);

export const flag = declare({
  type: 'boolean',
  code: 'boolean',
  wanted: 'a boolean',
  fits: (value) => flagOf(value) !== undefined,
  clean: (value) => flagOf(value) ?? false,
});

/** The moment that a date in a filter means, epoch seconds; null for what is none. One without a zone is on the clock of the site. */
export const momentOf = (value: string, { clock, options }: Site): number | null =>
  strtotime(value, { now: clock.seconds(), zone: zoneOf(options.timezone).name });

const DATE_TIME = { type: 'string', code: 'date_time', wanted: 'a date-time', clean: keep } as const;

/** A date in a filter: whatever can be read as one. */
export const moment = (description: string) =>
  declare({
    ...DATE_TIME,
    fits: (value, { site }) =>
      typeof value === 'string' && !isNumeric(value) && momentOf(value, site) !== null && isTime(value, { now: site.clock.seconds() }),
  })(description, { format: 'date-time' });

const SAME_TIME_EVERYWHERE = String.raw`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::\d{2})?)?$`;
const WALL_TIME = '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$';

const dateLike = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (description: string) =>
    declare({
      ...DATE_TIME,
      fits: (value, { site }) => typeof value === 'string' && expression.test(value) && isTime(value, { now: site.clock.seconds() }),
    })(description, { format: 'date-time', pattern });
};

/** A date with its time, and maybe a zone. */
export const instant = dateLike(SAME_TIME_EVERYWHERE);

/** A date with its time on some clock. */
export const wallTime = dateLike(WALL_TIME);

export const zone = declare({ type: 'string', fits: (value) => isText(value) && isTimezoneOrEmpty(value), clean: keep });

/** An address, or nothing (TEC: nothing takes away what there is). */
export const url = declare({
  type: 'string',
  code: 'uri',
  wanted: 'a valid URL',
  fits: (value) => value === '' || isValidUrl(value),
  clean: (value) => escUrlRaw(toStr(value)),
});

export const email = declare({
  type: 'string',
  code: 'email',
  wanted: 'a valid email address',
  fits: (value) => value === '' || (typeof value === 'string' && isEmail(value)),
  clean: keep,
});

export const choice = <const Choice extends string, S extends Shown = object>(description: string, words: readonly Choice[], shown?: S) =>
  declare<NoInfer<Choice>>({
    type: 'string',
    fits: (value) => words.some((each) => each === value),
    clean: (value) => value as NoInfer<Choice>,
  })(description, { enum: [...words], ...shown } as { enum: NoInfer<Choice>[] } & NoInfer<S>);

const unique = <T>(values: T[]): T[] => [...new Set(values)];

const numbers = (value: Json): number[] => unique(listOf(value).map(intval));

const isId = (value: Json): boolean => isWhole(value) && Number(value) >= 0;

/** TEC: a list, or a text that is one by its commas; a number by itself is neither. */
const isList = (value: Json): boolean =>
  (Array.isArray(value) || (typeof value === 'string' && value.includes(','))) && listOf(value).every(isId);

const IDS = { items: { type: 'integer' }, uniqueItems: true } as const satisfies Shown;

/** Ids, whether there is something of them or not. */
export const ids = (description: string) =>
  declare({
    type: 'array',
    fits: (value, { site }) => isList(value) || (isId(value) && !site.quirks.has('tec-v1-filters-do-nothing')),
    clean: numbers,
  })(description, IDS);

/** Ids of posts that there are, or one of them. */
export const existing = (description: string, type: string) => () =>
  ({
    description,
    type: 'array',
    ...IDS,
    validate: postList(type),
    sanitize: (value: Json): Json => (value === null ? null : numbers(value)),
  }) as const;

/** Words out of some, one of them, or several in a list or with commas. */
export const choices = <S extends Shown = object>(description: string, all: string[], shown?: S) =>
  declare({
    type: 'array',
    fits: (value) => {
      const words = Array.isArray(value) || isText(value) ? listOf(value) : [];
      return words.length > 0 && words.every((word) => typeof word === 'string' && all.includes(word));
    },
    clean: (value) => unique(listOf(value).map(toStr)),
  })(description, { items: { type: 'string', enum: all }, uniqueItems: true, ...shown } as { uniqueItems: true } & NoInfer<S>);

/** PHP: what counts as not given. */
export const isNothing = (value: Json | undefined): boolean => value === undefined || isEmpty(value);
