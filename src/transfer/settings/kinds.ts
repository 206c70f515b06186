import * as yup from 'yup';
import { didYouMean } from '../../base/text/suggest.js';
import { faultless } from '../../base/values/faultless.js';
import { membersOf } from '../../base/values/records.js';
import { siteZoneText, isUtcOffset } from '../../wordpress/timezones.js';
import { utcOffsetHours } from '../dates.js';
import { size } from '../formats/dataset/registered/declaration.js';
import { filled, flagRule, idRule, listRule, oneOf, record, textRule, wholeFrom } from '../formats/schema.js';
import { zone } from '../formats/zone-rule.js';

/** Rows of the options table of one product, by name. */
export type Rows = Readonly<Record<string, unknown>>;

/** How the values of a setting are written and stored. */
export interface Kind {
  /** Checks a value. Its description and JSON Schema are part of the schema of datasets. */
  rule: yup.AnySchema | yup.Lazy<unknown>;
  /** The values, for people. */
  values: string;
  /** The rows that it consists of. */
  names: readonly string[];
  /** The value of a new site. */
  usual: unknown;
  /** Converts a valid value to rows. References are ids by then. */
  rows: (value: unknown) => Rows;
  /** Converts rows to a value; undefined for missing and invalid ones. */
  value: (rows: Rows) => unknown;
  /** Whether the value refers to a page. */
  isPage?: boolean;
}

const stored = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** A valid number or text as a row. WP: rows are texts. */
const written = (value: unknown): string => (stored(value) ? String(value) : '');

const schema = (jsonSchema: object) => ({ jsonSchema });

/** A text that is stored as it is. */
export const text = (name: string, usual: string, rule: yup.AnySchema = textRule(), values = 'text'): Kind => ({
  rule,
  values,
  names: [name],
  usual,
  rows: (value) => ({ [name]: value }),
  value: (rows) => (stored(rows[name]) ? String(rows[name]) : undefined),
});

/** A text that a pattern describes. @param such what a message shows: `a path such as "/topics"` */
export const pattern = (name: string, usual: string, form: RegExp, such: string): Kind =>
  text(
    name,
    usual,
    textRule()
      .matches(form, { message: `must be ${such}`, excludeEmptyString: false })
      .meta(schema({ pattern: form.source })),
    such.replace(/"([^"]*)"/g, (quotes, value: string) => `\`${value || quotes}\``),
  );

/** A switch. @param values what is stored if it is on, and if it is off */
export const flag = (name: string, usual: boolean, [on, off]: readonly [unknown, unknown] = ['1', '0']): Kind => ({
  rule: flagRule(),
  values: '`true`, `false`',
  names: [name],
  usual,
  rows: (value) => ({ [name]: value === true ? on : off }),
  value: (rows) => (rows[name] === undefined || rows[name] === null ? undefined : isOn(rows[name]) === isOn(on)),
});

/** PHP: whether a stored value counts as true. */
const isOn = (value: unknown): boolean => value === true || (stored(value) && !['', '0', 'no', 'false'].includes(String(value)));

/** A whole number. */
export const count = (name: string, usual: number, [least, most]: readonly [number, number]): Kind => ({
  rule: wholeFrom(least)
    .max(most, `must be at most ${most}`)
    .meta(schema({ maximum: most })),
  values: most > 1000 ? `a number from ${least}` : `${least} to ${most}`,
  names: [name],
  usual,
  rows: (value) => ({ [name]: written(value) }),
  value: (rows) => {
    const number = stored(rows[name]) && rows[name] !== '' ? Number(rows[name]) : NaN;
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  },
});

const quoted = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');

/** One of some words, which are stored as they are. */
export const choice = (name: string, values: readonly string[]): Kind => ({
  rule: oneOf(values),
  values: quoted(values),
  names: [name],
  usual: values[0],
  rows: (value) => ({ [name]: value }),
  value: (rows) => values.find((value) => value === rows[name]),
});

/** Some of some words; all by default. */
export const someOf = (name: string, values: readonly string[]): Kind => ({
  rule: listRule(oneOf(values).required('is missing')).min(1, 'must have at least one entry'),
  values: `list of ${quoted(values)}`,
  names: [name],
  usual: values,
  rows: (value) => ({ [name]: value }),
  value: (rows) => (Array.isArray(rows[name]) ? values.filter((value) => (rows[name] as unknown[]).includes(value)) : undefined),
});

/** A page by its slug, title or id. @param shows the row that has to be `page` for it */
export const page = (name: string, shows?: string): Kind => ({
  rule: yup
    .lazy((value: unknown) => (typeof value === 'number' ? idRule() : filled().optional()))
    .meta(schema({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] })),
  values: 'slug, title or id of a page',
  names: [...(shows === undefined ? [] : [shows]), name],
  usual: null,
  rows: (value) => ({ ...(shows === undefined ? {} : { [shows]: 'page' }), [name]: written(value) }),
  value: (rows) => {
    const id = Number(rows[name] ?? 0);
    return Number.isInteger(id) && id > 0 && (shows === undefined || rows[shows] === 'page') ? id : undefined;
  },
  isPage: true,
});

/** A time zone. WP: a site has either a named one or an offset in hours. */
export const timeZone = (): Kind => ({
  rule: zone(),
  values: 'name such as `Europe/Berlin`, or `UTC+5.5`',
  names: ['timezone_string', 'gmt_offset'],
  usual: 'UTC',
  rows: (value) => {
    const name = written(value);
    return isUtcOffset(name) ? { timezone_string: '', gmt_offset: String(utcOffsetHours(name)) } : { timezone_string: name };
  },
  value: ({ timezone_string: name, gmt_offset: offset }) =>
    stored(name) || stored(offset)
      ? siteZoneText({ timezone_string: written(name ?? 'UTC'), gmt_offset: stored(offset) ? offset : 0 })
      : undefined,
});

const TAGS = ['year', 'monthnum', 'day', 'hour', 'minute', 'second', 'post_id', 'postname', 'category', 'author'];

const tagsIn = (structure: string): string[] => [...structure.matchAll(/%([^%/]*)%/g)].map(([, tag]) => tag);

/** The value of plain permalinks. */
export const PLAIN = 'plain';

const STRUCTURE = 'must be "plain" or a structure such as "/%year%/%monthnum%/%postname%/"';

function structureProblem(value: string): string | null {
  if (value === PLAIN) return null;
  if (!/^\/[^?#\s]*$/.test(value)) return STRUCTURE;
  const tags = tagsIn(value);
  const unknown = tags.find((tag) => !TAGS.includes(tag));
  if (unknown !== undefined) return `has an unknown tag %${unknown}%${didYouMean(unknown, TAGS)}`;
  return tags.includes('postname') || tags.includes('post_id') ? null : `${STRUCTURE}, with %postname% or %post_id%`;
}

/** The structure of permalinks. WP: an empty one stands for plain permalinks. */
export const structure = (name: string): Kind => ({
  rule: textRule()
    .test('structure', faultless(structureProblem))
    .meta(schema({ pattern: `^${PLAIN}$|^/.*%(postname|post_id)%` })),
  values: '`plain`, or a structure such as `/%year%/%monthnum%/%postname%/`',
  names: [name],
  usual: '/%postname%/',
  rows: (value) => ({ [name]: value === PLAIN ? '' : value }),
  value: (rows) => (typeof rows[name] === 'string' ? rows[name] || PLAIN : undefined),
});

const SIDES = { width: 'size_w', height: 'size_h' } as const;

/** The sizes of WordPress. @param usual of a new site */
export const sizes = (usual: Readonly<Record<string, { width: number; height: number; crop: boolean }>>): Kind => {
  const names = Object.keys(usual);
  const rowsOf = (name: string, of: Rows): Rows => ({
    ...Object.fromEntries(
      Object.entries(SIDES).flatMap(([side, row]) => (of[side] === undefined ? [] : [[`${name}_${row}`, written(of[side])]])),
    ),
    ...(of['crop'] === undefined ? {} : { [`${name}_crop`]: of['crop'] === true ? '1' : '0' }),
  });
  const sizeOf = (name: string, rows: Rows): Rows => {
    const crop = rows[`${name}_crop`];
    const sides = Object.entries(SIDES).flatMap(([side, row]) => {
      const value = rows[`${name}_${row}`];
      const number = stored(value) ? Math.trunc(Number(value)) : NaN;
      return number >= 0 ? [[side, number] as const] : [];
    });
    return { ...Object.fromEntries(sides), ...(crop === undefined || crop === null ? {} : { crop: isOn(crop) }) };
  };
  return {
    rule: record(Object.fromEntries(names.map((name) => [name, size.optional().default(undefined)])))
      .optional()
      .default(undefined)
      .meta({ values: size, ...schema({ propertyNames: { enum: names } }) }),
    values: `object: ${quoted(names)}, each with \`width\`, \`height\`, \`crop\``,
    names: names.flatMap((name) => [...Object.values(SIDES).map((row) => `${name}_${row}`), `${name}_crop`]),
    usual,
    rows: (value) => Object.assign({}, ...names.map((name) => rowsOf(name, membersOf(membersOf(value)?.[name]) ?? {}))) as Rows,
    value: (rows) => {
      const found = names.map((name) => [name, sizeOf(name, rows)] as const).filter(([, value]) => Object.keys(value).length > 0);
      return found.length === 0 ? undefined : Object.fromEntries(found);
    },
  };
};
