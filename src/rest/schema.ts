import type { Quirks } from '../wp/quirks.js';
import type { Json } from './json.js';
import type { Arg, CallContext } from './route.js';

const exists = ({ only }: Arg, quirks: Quirks): boolean =>
  only === undefined || only === quirks.profile || (quirks as ReadonlySet<string>).has(only);

/** The arguments of a table that exist under some quirks. */
export const argsUnder = <A extends Arg>(quirks: Quirks, args: Record<string, A>): Record<string, A> =>
  Object.values(args).every((arg) => exists(arg, quirks))
    ? args
    : Object.fromEntries(Object.entries(args).filter(([, arg]) => exists(arg, quirks)));

const INDEX_KEYWORDS = [
  'title',
  'description',
  'default',
  'type',
  'format',
  'enum',
  'items',
  'properties',
  'additionalProperties',
  'oneOf',
  'anyOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const satisfies readonly (keyof Arg)[];

/** The default of an argument as it stands right now, or `undefined` when none is declared. */
export function defaultOf(arg: Arg, site: CallContext['site']): Json | undefined {
  return typeof arg.default === 'function' ? arg.default(site) : arg.default;
}

/** An argument as both indexes and OPTIONS show it. */
export function argEntry(arg: Arg, site: CallContext['site']): Json {
  const entry: Record<string, Json> = {};
  for (const keyword of INDEX_KEYWORDS) {
    const value = keyword === 'default' ? defaultOf(arg, site) : arg[keyword];
    if (value !== undefined && !(keyword === 'description' && value === '')) entry[keyword] = value as Json;
  }
  return { ...entry, required: arg.required ?? false };
}
