/** Records: the parts of `Object` with the types that a table of known names has. */

type Defined<Of> = { [Name in keyof Of as undefined extends Of[Name] ? never : Name]: Of[Name] } & {
  [Name in keyof Of as undefined extends Of[Name] ? Name : never]?: Exclude<Of[Name], undefined>;
};

export const withoutUndefined = <Of extends object>(values: Of): Defined<Of> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Of>;

/** The names of a table that has no others. */
export const namesOf = <Table extends object>(table: Table): (keyof Table & string)[] => Object.keys(table) as (keyof Table & string)[];

export const recordOf = <Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;

export const isOneOf = <Value>(list: readonly Value[], value: unknown): value is Value => list.some((each) => each === value);

/** Whether a value is an object, and no list; its members are `Value`. */
export const isRecord = <Value = unknown>(value: unknown): value is Record<string, Value> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The members of a value that is an object; null for any other. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : null;

/**
 * A table that has no members but its own, so that a name that somebody sends finds nothing of what every object has, such as `constructor`.
 * Constants that are indexed by any text are made by it; `test/lookups.more.test.ts` finds others.
 */
export const lookup = <Table extends object>(members: Table): Table => Object.assign(Object.create(null) as Table, members);

/** A copy that shares no object with a value of plain objects, instances, lists, typed arrays and maps of such values. @param known copies of parts of it */
export function deepCopy<Value>(value: Value, known: Map<unknown, unknown>): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (!known.has(value)) {
    const copyOf = <Part>(part: Part): Part => deepCopy(part, known);
    if (ArrayBuffer.isView(value)) known.set(value, (value as unknown as Uint8Array).slice());
    else if (value instanceof Map) known.set(value, new Map(Array.from(value, ([key, part]) => [key, copyOf(part)] as const)));
    else {
      const copy = Array.isArray(value) ? [] : (Object.create(Object.getPrototypeOf(value) as object) as object);
      known.set(value, copy);
      for (const [name, part] of Object.entries(value)) (copy as Record<string, unknown>)[name] = copyOf(part);
    }
  }
  return known.get(value) as Value;
}

/** Everything that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = Record<string, Json>;

/** @throws SyntaxError */
export const parseJson = (text: string): Json => JSON.parse(text) as Json;

/** The value of JSON; `other` for any other text. */
export function jsonOr<Other>(text: string, other: Other): Json | Other {
  try {
    return parseJson(text);
  } catch {
    return other;
  }
}

/** A value that holds nothing but JSON. Its type need not say so: interfaces have no index, which TypeScript asks for. */
export const asJson = (value: object): Json => value as Json;

/** The same of an object. */
export const asJsonObject = (value: object): { [key: string]: Json } => value as { [key: string]: Json };

/** How often a list has each of its values. */
export function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The value that is most frequent in a list, the first of several; undefined: the list is empty. */
export const mostFrequent = (values: readonly string[]): string | undefined => [...tally(values)].sort(([, a], [, b]) => b - a)[0]?.[0];
