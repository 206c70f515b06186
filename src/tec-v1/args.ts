import { isEmpty, isNumeric, intval, toStr } from '../php/cast.js';
import { strtotime } from '../php/strtotime.js';
import { isTime } from '../tec/dates.js';
import { listOf, positiveInt, postIds } from '../calendar-v1/validators.js';
import { isEmail } from '../wp/formatting/email.js';
import { isValidUrl } from '../wp/formatting/url.js';
import { escUrlRaw } from '../wp/formatting/esc-url.js';
import { isTimezoneOrEmpty, zoneOf } from '../wp/timezones.js';
import type { Arg, ArgError, Args, ArgType, CallContext, Json } from '../rest/route.js';
import type { Site } from '../wp/site.js';

/** An argument that has yet to be told its name, which its refusals say. */
export type Declared = (name: string) => Arg;

/** Arguments that know their names. */
export const named = (declared: Record<string, Declared>): Args =>
  Object.fromEntries(Object.entries(declared).map(([name, declare]) => [name, declare(name)]));

/** TEC: a refusal says twice what was wanted. @param code what its code calls the kind of argument */
const refusal = (name: string, code: string, wanted: string): ArgError => ({
  code: `tec_rest_invalid_${code}_argument`,
  message: `Argument \`{${name}}\` must be ${wanted}.`,
  data: { status: 400, argument: name, details: `The argument \`{${name}}\` is not ${wanted}.` },
});

type Shown = Partial<Omit<Arg, 'description' | 'type' | 'validate' | 'sanitize'>>;
type Fits = (value: Json, context: CallContext) => boolean | Promise<boolean>;

interface Kind {
  type: ArgType;
  /** Refusal of a value that does not fit; without it the plain one of WordPress. */
  code?: string;
  wanted?: string;
  fits: Fits;
  clean: (value: Json) => Json;
}

/** Nothing is told of a value that is not there: JSON's null stays what it is. */
const orNull =
  (clean: Kind['clean']): Kind['clean'] =>
  (value) =>
    value === null ? null : clean(value);

const declare =
  ({ type, code, wanted, fits, clean }: Kind) =>
  (description: string, shown: Shown = {}): Declared =>
  (name) => ({
    description,
    type,
    ...shown,
    validate: async (value, context) =>
      (await fits(value, context)) || (code === undefined || wanted === undefined ? false : refusal(name, code, wanted)),
    sanitize: orNull(clean),
  });

const keep = (value: Json): Json => value;

const FLAGS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

const flagOf = (value: Json): boolean | undefined =>
  typeof value === 'object' || !Object.hasOwn(FLAGS, String(value).toLowerCase()) ? undefined : FLAGS[String(value).toLowerCase()];

const isWhole = (value: Json): boolean => isNumeric(value) && Number.isInteger(Number(value));

const isText = (value: Json): boolean => typeof value === 'string';

export const text = declare({ type: 'string', code: 'text', wanted: 'a string', fits: isText, clean: keep });

export const integer = declare({ type: 'integer', code: 'integer', wanted: 'an integer', fits: isWhole, clean: intval });

export const positive = declare({
  type: 'integer',
  code: 'positive_integer',
  wanted: 'a positive integer',
  fits: positiveInt as Fits,
  clean: intval,
});

/** TEC: more than a page may hold is not refused but cut. */
export const pageSize = (description: string, shown: Shown & { maximum: number }): Declared =>
  declare({
    type: 'integer',
    code: 'positive_integer',
    wanted: 'a positive integer',
    fits: positiveInt as Fits,
    clean: (value) => Math.min(intval(value), shown.maximum),
  })(description, shown);

export const flag = declare({
  type: 'boolean',
  code: 'boolean',
  wanted: 'a boolean',
  fits: (value) => flagOf(value) !== undefined,
  clean: (value) => flagOf(value) ?? value,
});

/** The moment that a date in a filter means, epoch seconds; null for what is none. One without a zone is on the clock of the site. */
export const momentOf = (value: string, { clock, options }: Site): number | null =>
  strtotime(value, { now: clock.seconds(), zone: zoneOf(options.timezone).name });

const DATE_TIME = { type: 'string', code: 'date_time', wanted: 'a date-time', clean: keep } as const;

/** A date in a filter: whatever can be read as one. */
export const moment = (description: string): Declared =>
  declare({
    ...DATE_TIME,
    fits: (value, { site }) =>
      typeof value === 'string' &&
      !isNumeric(value) &&
      momentOf(value, site) !== null &&
      isTime(value, { now: site.clock.seconds(), siteZone: site.options.timezone }),
  })(description, { format: 'date-time' });

const SAME_TIME_EVERYWHERE = String.raw`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::\d{2})?)?$`;
const WALL_TIME = '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$';

const dateLike = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (description: string): Declared =>
    declare({
      ...DATE_TIME,
      fits: (value, { site }) =>
        typeof value === 'string' &&
        expression.test(value) &&
        isTime(value, { now: site.clock.seconds(), siteZone: site.options.timezone }),
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

export const choice = (description: string, choices: string[], shown: Shown = {}): Declared =>
  declare({ type: 'string', fits: (value) => typeof value === 'string' && choices.includes(value), clean: keep })(description, {
    enum: choices,
    ...shown,
  });

const unique = <T>(values: T[]): T[] => [...new Set(values)];

const numbers = (value: Json): number[] => unique(listOf(value).map(intval));

const isId = (value: Json): boolean => isWhole(value) && Number(value) >= 0;

/** TEC: a list, or a text that is one by its commas; a number by itself is neither. */
const isList = (value: Json): boolean =>
  (Array.isArray(value) || (typeof value === 'string' && value.includes(','))) && listOf(value).every(isId);

const IDS = { items: { type: 'integer' }, uniqueItems: true } as const satisfies Shown;

/** Ids, whether there is something of them or not. */
export const ids = (description: string): Declared =>
  declare({
    type: 'array',
    fits: (value, { site }) => isList(value) || (isId(value) && !site.quirks.has('tec-v1-filters-do-nothing')),
    clean: numbers,
  })(description, IDS);

/** Ids of posts that there are, or one of them. */
export const existing = (description: string, type: string): Declared =>
  declare({ type: 'array', fits: postIds(type) as Fits, clean: numbers })(description, IDS);

/** Words out of some, one of them, or several in a list or with commas. */
export const choices = (description: string, all: string[], shown: Shown = {}): Declared =>
  declare({
    type: 'array',
    fits: (value) => {
      const words = Array.isArray(value) || isText(value) ? listOf(value) : [];
      return words.length > 0 && words.every((word) => typeof word === 'string' && all.includes(word));
    },
    clean: (value) => unique(listOf(value).map(toStr)),
  })(description, { items: { type: 'string', enum: all }, uniqueItems: true, ...shown });

/** PHP: what counts as not given. */
export const isNothing = (value: Json | undefined): boolean => value === undefined || isEmpty(value);
