/** The types of the dataset format, made from its JSON Schema. */

const NAMES = { currency: 'DatasetCurrency', settings: 'DatasetSettings' };

/** The names of what maps contain, where lists of other things have the same. */
const IN_MAPS = { items: 'own_items' };

/** Types of any content. */
const ANY = { array: 'unknown[]', object: 'Record<string, unknown>', integer: 'number' };

/** `DatasetVenue` for the list `venues`. */
const nameOf = (list) =>
  `Dataset${list[0].toUpperCase()}${list
    .slice(1)
    .replace(/_(.)/g, (_, letter) => letter.toUpperCase())
    .replace(/ies$/, 'y')
    .replace(/s$/, '')}`;

const isRecord = (schema) => schema.type === 'object' && schema.properties !== undefined;

/** The type of a schema. Records are separate interfaces, added to `interfaces`. */
function typeOf(schema, name, interfaces) {
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (isRecord(schema)) {
    const own = NAMES[name] ?? nameOf(name);
    interfaces.set(own, interfaceOf(own, schema, interfaces));
    return own;
  }
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, name, interfaces)).join(' | ');
  if (schema.type === undefined) return 'unknown';
  if (Array.isArray(schema.type)) return schema.type.map((type) => ANY[type] ?? type).join(' | ');
  if (schema.type === 'array') {
    const item = typeOf(schema.items, name, interfaces);
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === 'object' && schema.additionalProperties === undefined) return ANY.object;
  if (schema.type === 'object') return `Record<string, ${typeOf(schema.additionalProperties, IN_MAPS[name] ?? name, interfaces)}>`;
  return schema.type === 'integer' ? 'number' : schema.type;
}

function interfaceOf(name, { properties, required = [] }, interfaces) {
  const members = Object.entries(properties).map(([key, schema]) => {
    const comment = schema.description === undefined ? '' : `    /** ${schema.description} */\n`;
    return `${comment}    ${key}${required.includes(key) ? '' : '?'}: ${typeOf(schema, key, interfaces)};\n`;
  });
  return `export interface ${name} {\n${members.join('')}}\n`;
}

/** The text of `sdk/types/dataset.d.ts`. */
export function datasetTypes(schema) {
  const interfaces = new Map();
  const whole = interfaceOf('Dataset', schema, interfaces);
  return [
    '/** The dataset format. Written by `scripts/table-types.mjs` from the declarations that validate files. */\n',
    ...interfaces.values(),
    `/** A dataset, as in a JSON or YAML file. */\n${whole}`,
  ].join('');
}
