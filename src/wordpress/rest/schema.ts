import type { Quirks } from '../quirks.js';
import type { Json } from './request.js';
import type { Arg, Args, CallContext, Endpoint } from './route.js';
import KEYWORDS from './index-keywords.json' with { type: 'json' };

const exists = ({ only, absentUnder }: Arg, quirks: Quirks): boolean =>
  (only === undefined || only === quirks.profile || (quirks as ReadonlySet<string>).has(only)) &&
  (absentUnder === undefined || !quirks.has(absentUnder));

/** An argument with the changes of the quirks that are on. */
export function argUnder<A extends Arg>(quirks: Quirks, arg: A): A {
  if (!arg.under) return arg;
  const changes = Object.entries(arg.under).flatMap(([name, change]) => ((quirks as ReadonlySet<string>).has(name) ? [change] : []));
  return changes.length === 0 ? arg : Object.assign({}, arg, ...changes);
}

const isPlain = ({ only, absentUnder, under }: Arg): boolean => (only ?? absentUnder ?? under) === undefined;

const tableUnder = <A extends Arg>(quirks: Quirks, args: Record<string, A>): Record<string, A> =>
  Object.values(args).every(isPlain)
    ? args
    : Object.fromEntries(
        Object.entries(args).flatMap(([name, arg]) => (exists(arg, quirks) ? [[name, argUnder(quirks, arg)] as const] : [])),
      );

/** Cached results of `argsUnder`, which every request calls with the same arguments. */
const tables = new WeakMap<Quirks, WeakMap<object, object>>();

/** The arguments of a table that exist under some quirks, with the changes of these. */
export function argsUnder<A extends Arg>(quirks: Quirks, args: Record<string, A>): Record<string, A> {
  const known = tables.get(quirks) ?? new WeakMap<object, object>();
  const table = (known.get(args) as Record<string, A> | undefined) ?? tableUnder(quirks, args);
  tables.set(quirks, known.set(args, table));
  return table;
}

/** A resource with the arguments that exist under some quirks. */
export const resourceUnder = <T extends { filters: Args; fields: Args }>(quirks: Quirks, resource: T): T => ({
  ...resource,
  filters: argsUnder(quirks, resource.filters),
  fields: argsUnder(quirks, resource.fields),
});

/** The arguments of an endpoint that are declared to WordPress. */
export const declaredArgs = ({ args, hidesArgsUnder }: Endpoint, quirks: Quirks): Args =>
  hidesArgsUnder !== undefined && quirks.has(hidesArgsUnder) ? {} : argsUnder(quirks, args);

const INDEX_KEYWORDS = KEYWORDS as readonly (keyof Arg)[];

/** The current default of an argument, or `undefined` if none is declared. */
export function defaultOf(arg: Arg, site: CallContext['site']): Json | undefined {
  return typeof arg.default === 'function' ? arg.default(site) : arg.default;
}

/** An argument as both indexes and OPTIONS show it. */
export function argEntry(arg: Arg, site: CallContext['site']): Json {
  const entry: Record<string, Json> = {};
  // The default may depend on the time.
  if (typeof arg.default === 'function') site.clock.now();
  for (const keyword of INDEX_KEYWORDS) {
    const value = keyword === 'default' ? defaultOf(arg, site) : arg[keyword];
    if (value !== undefined && !(keyword === 'description' && value === '')) entry[keyword] = value as Json;
  }
  return { ...entry, required: arg.required ?? false };
}
