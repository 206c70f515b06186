type Any = ReturnType<typeof JSON.parse>;

/** Mismatches between a value and a schema of the document. */
export function misfits(doc: Any, schema: Any, value: Any, at: string): string[] {
  if (schema.$ref !== undefined) return misfits(doc, doc.components.schemas[schema.$ref.split('/').at(-1)], value, at);
  const of = (each: Any): string[] => misfits(doc, each, value, at);
  if (schema.allOf) return schema.allOf.flatMap(of);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.some((each: Any) => of(each).length === 0) ? [] : [`${at} fits none of ${choices.length}`];
  if (value === null) return schema.nullable ? [] : [`${at} is null`];
  const type = Array.isArray(value) ? 'array' : typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
  if (schema.type !== undefined && schema.type !== type && !(schema.type === 'number' && type === 'integer')) return [`${at} is ${type}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${String(value)}`];
  if (type === 'array') {
    if (value.length > (schema.maxItems ?? Infinity)) return [`${at} is too long`];
    return value.flatMap((item: Any, index: number) => misfits(doc, schema.items, item, `${at}[${index}]`));
  }
  if (type !== 'object') return [];
  const absent = (schema.required ?? []).filter((name: string) => !(name in value)).map((name: string) => `${at}.${name} is absent`);
  return [
    ...absent,
    ...Object.entries<Any>(value).flatMap(([name, item]) => {
      const known = schema.properties?.[name] ?? schema.additionalProperties;
      if (known) return misfits(doc, known, item, `${at}.${name}`);
      return schema.properties ? [`${at}.${name} is unknown`] : [];
    }),
  ];
}
