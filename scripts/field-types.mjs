/** The types of the fields of events and of linked posts, made from their tables. */

const SHOWN = {
  text: 'string',
  url: 'string',
  email: 'string',
  amounts: 'string',
  coordinate: 'number',
  date: 'string | null',
  flag: 'boolean | null',
};
const SENT = { ...SHOWN, amounts: 'string | number | readonly (string | number)[]', date: 'string', flag: 'boolean' };

/** TEC: the flags of linked posts are sent as texts. */
const SENT_LINKED = { ...SENT, flag: 'string' };

function interfaceOf(name, about, table, text, typeOf) {
  const members = Object.entries(table).flatMap(([field, row]) => {
    const type = typeOf(row);
    return row[text] === undefined || type === undefined ? [] : [`    /** ${row[text].replace(/\.?$/, '.')} */\n    ${field}${type};\n`];
  });
  return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}\n`;
}

const declared = (type, isOptional) => (type === undefined ? undefined : `${isOptional ? '?' : ''}: ${type}`);

function typesOf(noun, table, isLinked) {
  const name = `${noun[0].toUpperCase()}${noun.slice(1)}`;
  const sent = isLinked ? SENT_LINKED : SENT;
  // TEC: linked posts have no key for an empty field.
  const shown = ({ kind }) => declared(SHOWN[kind], isLinked && kind !== 'flag');
  return [
    interfaceOf(`Shown${name}`, `The stored fields of the ${noun} in responses.`, table, 'definition', shown),
    interfaceOf(`Sent${name}`, `The same in requests.`, table, 'description', ({ kind, required }) => declared(sent[kind], !required)),
  ];
}

/** JSON Schemas of the stored fields in responses, by the names of their types. @param event its table @param linked tables by kind */
export const fieldSchemas = (event, linked) =>
  Object.fromEntries(
    [
      ['Event', event, false],
      ...Object.entries(linked).map(([kind, { fields }]) => [kind[0].toUpperCase() + kind.slice(1), fields, true]),
    ].map(([name, table, isLinked]) => {
      const shown = Object.entries(table).filter(([, { kind, definition }]) => definition !== undefined && SHOWN[kind] !== undefined);
      return [
        `Shown${name}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            shown.map(([field, { kind, definition }]) => [field, { description: definition, type: SHOWN[kind].split(' | ') }]),
          ),
          // TEC: linked posts have no key for an empty field.
          required: shown.filter(([, { kind }]) => !isLinked || kind === 'flag').map(([field]) => field),
        },
      ];
    }),
  );

/** The text of `sdk/types/fields.d.ts`. @param event its table @param linked tables by kind */
export const fieldTypes = (event, linked) =>
  [
    '/** The fields of events and of linked posts. Written by `scripts/table-types.mjs` from the tables of fields. */\n',
    ...typesOf('event', event, false),
    ...Object.entries(linked).flatMap(([kind, { fields }]) => typesOf(kind, fields, true)),
  ].join('');

/** The type of a value of JSON, with its own texts and numbers. */
function literal(value) {
  if (Array.isArray(value)) return `readonly [${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `readonly ${name}: ${literal(member)}`)
    .join('; ')} }`;
}

/** The text of `field-tables.d.ts`: the types of the rows of `fields.json`. */
export const tableTypes = (tables) => `export type FieldTables = ${literal(tables)};\n`;
