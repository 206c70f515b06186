import { checkValue, isRefused, notOfType } from './check.js';
import { argUnder, defaultOf } from './schema.js';
import { Refused, Resolved, invalidParams, missingParams } from './route.js';
import type { Arg, ArgError, Args, ArgType, CallContext, RestError } from './route.js';
import type { Json } from './request.js';

type Failures = Record<string, ArgError>;

const INVALID: ArgError = { message: 'Invalid parameter.' };

function applyDefaults(args: Args, { request, site }: CallContext): void {
  for (const name in args) {
    const value = defaultOf(args[name], site);
    // WP: a default of null is shown, but does not count as a default.
    if (value !== undefined && value !== null) request.sources.defaults[name] = value;
  }
}

const missing = (args: Args, { request }: CallContext): string[] =>
  Object.keys(args).filter((name) => args[name].required && request.get(name) === undefined);

/** WP: custom checks run on the effective value, a default included. */
async function validate(args: Args, context: CallContext): Promise<Failures> {
  const failures: Failures = {};
  for (const name in args) {
    const { validate: check } = args[name];
    const value = check ? context.request.get(name) : undefined;
    if (!check || value === undefined) continue;
    const judged = check(value, context);
    // Most checks are synchronous, and awaiting them takes longer than they do.
    const verdict = judged instanceof Promise ? await judged : judged;
    if (verdict instanceof Resolved) context.request.resolved.set(name, verdict.value);
    else if (verdict !== true) failures[name] = verdict === false ? INVALID : verdict;
  }
  return failures;
}

type Cleaned = { value: Json } | ArgError;

const asCleaned = (cleaned: Json | Refused): Cleaned => (cleaned instanceof Refused ? cleaned.error : { value: cleaned });

function clean(name: string, arg: Arg, value: Json, context: CallContext): Cleaned | Promise<Cleaned> {
  if (arg.sanitize === 'raw') return { value };
  if (!arg.sanitize) return checkValue(value, arg, name);
  const cleaned = arg.sanitize(value, context);
  return cleaned instanceof Promise ? cleaned.then(asCleaned) : asCleaned(cleaned);
}

/** WP: sanitizing applies to every source with a value, not only to the effective one. */
async function sanitize(args: Args, context: CallContext): Promise<Failures> {
  const failures: Failures = {};
  for (const source of context.request.orderedSources) {
    for (const name of Object.keys(source)) {
      if (!Object.hasOwn(args, name)) continue;
      const isFloat = source === context.request.sources.json && context.request.floats.has(name);
      // WP: the integers 1 and 0 are the only numbers that count as booleans.
      const isWrongNumber = isFloat && args[name].type === 'boolean';
      const cleaning = isWrongNumber ? notOfType(name, ['boolean']) : clean(name, args[name], source[name], context);
      const cleaned = cleaning instanceof Promise ? await cleaning : cleaning;
      if ('message' in cleaned) failures[name] = cleaned;
      else source[name] = cleaned.value;
    }
  }
  return failures;
}

/**
 * Prepares the parameters of a call in WordPress's order: defaults, required parameters, custom checks, types. Each stage reports all of
 * its errors; a later one runs only if the earlier ones found none. If the body was not read, no parameter is required.
 */
export async function prepareArgs(args: Args, context: CallContext): Promise<RestError | null> {
  applyDefaults(args, context);
  const lacking = context.request.isUnread ? [] : missing(args, context);
  if (lacking.length > 0) return missingParams(lacking);
  for (const stage of [validate, sanitize]) {
    const failures = await stage(args, context);
    if (Object.keys(failures).length > 0) return invalidParams(failures);
  }
  return null;
}

const EMPTY: Partial<Record<ArgType, Json>> = { string: '', integer: 0, number: 0, boolean: false, array: [], object: {} };

/** The value of a field for null (WP: the empty value of its type, unless null is one of its types). */
function emptyOf({ type = 'string' }: Arg): Json {
  const types = [type].flat();
  return types.includes('null') ? null : (EMPTY[types[0]] ?? null);
}

/** Fields as they are written: null empties them (WP: unlike in filters). WP: all are validated before any is sanitized. */
export const fields = <Table extends Args>(declared: Table): Table =>
  Object.fromEntries(
    Object.entries(declared).map(([name, arg]) => {
      const emptied = (value: Json, { site }: CallContext): Json | Refused => {
        if (value === null) return emptyOf(arg);
        const checked = checkValue(value, argUnder(site.quirks, arg), name);
        return isRefused(checked) ? new Refused(checked) : checked.value;
      };
      const checking = (value: Json, { site }: CallContext): true | ArgError => {
        const checked = checkValue(value, argUnder(site.quirks, arg), name);
        return isRefused(checked) ? checked : true;
      };
      const isOwn = arg.validate !== undefined || arg.sanitize === 'raw';
      return [name, { ...arg, sanitize: arg.sanitize ?? emptied, ...(isOwn ? {} : { validate: checking }) }];
    }),
  ) as Table;
