/** Types made from JSON Schemas: an interface or a type for each definition. */

const nameOf = ({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1);

const PLAIN = { integer: 'number' };

const quoted = (value) => (typeof value === 'string' ? `'${value}'` : String(value));
const grouped = (type) => (/ [|&] /.test(type) ? `(${type})` : type);
const about = ({ description }, indent = '') => (description === undefined ? '' : `${indent}/** ${description} */\n`);
const isKey = (name) => /^[\w$]+$/.test(name);

function members({ properties = {}, required = [] }, indent) {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = `${isKey(name) ? name : quoted(name)}${required.includes(name) ? '' : '?'}`;
    return `${about(schema, indent)}${indent}${key}: ${schema['x-typescript'] ?? typeOf(schema, indent)};\n`;
  });
  return `{\n${lines.join('')}${indent.slice(2)}}`;
}

function typeOf(schema, indent = '') {
  if (schema.$ref) return nameOf(schema);
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  if ('const' in schema) return quoted(schema.const);
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, indent)).join(' | ');
  if (schema.allOf) return schema.allOf.map((each) => typeOf(each, indent)).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  if (schema.type === 'array') return schema.maxItems === 0 ? '[]' : `${grouped(typeOf(schema.items, indent))}[]`;
  if (schema.additionalProperties) return `Record<string, ${typeOf(schema.additionalProperties, indent)}>`;
  if (schema.type === 'object') return members(schema, `${indent}  `);
  return PLAIN[schema.type] ?? schema.type ?? 'unknown';
}

const isInterface = ({ properties, allOf = [], ...schema }) =>
  properties !== undefined && schema['x-typescript'] !== 'type' && allOf.every((each) => each.$ref);

function declaration([name, schema]) {
  const visible = schema['x-typescript'] === 'internal' ? '' : 'export ';
  if (!isInterface(schema)) return `${about(schema)}${visible}type ${name} = ${typeOf(schema)};\n`;
  const parents = (schema.allOf ?? []).map(nameOf).join(', ');
  return `${about(schema)}${visible}interface ${name} ${parents && `extends ${parents} `}${members(schema, '  ')}\n`;
}

/**
 * The text of a module of types.
 * @param schema its `$defs`; `x-imports`: the definitions of other modules; `x-typescript` of a definition: `type`, not an interface, or
 * `internal`; of a member: another type
 */
export const schemaTypes = ({ description, 'x-imports': imports = {}, $defs }) =>
  [
    `/** ${description} Written by \`scripts/table-types.mjs\`. */\n`,
    ...Object.entries(imports).map(([file, names]) => `import type { ${names.join(', ')} } from '${file}';\n`),
    ...Object.entries($defs).map(declaration),
    'export {};\n',
  ].join('\n');
