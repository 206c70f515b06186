import type { Arg, CallContext, Json } from './route.js';

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
