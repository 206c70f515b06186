type Defined<Of> = { [Name in keyof Of]?: Exclude<Of[Name], undefined> };

/** What was sent: the entries that are not undefined. */
export const omitUndefined = <Of extends object>(values: Of): Defined<Of> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Of>;
