/** Namespaces that come first, and what they are. Others follow by name. */
const NOTES = {
  'tribe/events/v1': 'The Events Calendar',
  'tec/v1': 'The Events Calendar, newer API',
  'tribe/tickets/v1': 'Event Tickets',
  'wp/v2': 'WordPress',
};

const TEST_API = 'Test API';

const FIRST = Object.keys(NOTES);

/** A schema, whose reference is followed. */
export function resolved(document, schema = {}) {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part?.[name], document);
  return { ...resolved(document, found), ...own };
}

const typeName = ({ type, items, anyOf, oneOf, enum: values }) => {
  if (anyOf ?? oneOf) return [...new Set((anyOf ?? oneOf).map(typeName))].filter((name) => name !== '').join(' or ');
  const name = [type ?? (values ? typeof values[0] : '')].flat().join(' or ');
  return name === 'array' && items?.type ? `list of ${[items.type].flat().join(' or ')}` : name;
};

/** Facts about a value for people: type, bounds, choices, default. */
export function factsOf(schema) {
  const choices = schema.enum ?? schema.items?.enum;
  const { minimum, maximum } = schema;
  return [
    [typeName(schema), schema.format].filter(Boolean).join(', '),
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : '',
    minimum !== undefined && maximum === undefined ? `at least ${minimum}` : '',
    minimum === undefined && maximum !== undefined ? `at most ${maximum}` : '',
    choices ? choices.map(String).join(', ') : '',
    schema.default === undefined || schema.default === null || schema.default === '' ? '' : `default: ${JSON.stringify(schema.default)}`,
  ].filter((fact) => fact !== '');
}

/** An example of a value. */
function sampleOf(name, schema) {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat().find((each) => each !== 'null');
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  if (type === 'object') return {};
  if (name.endsWith('_date')) return name.startsWith('end') ? '2030-01-31 22:00:00' : '2030-01-31 20:00:00';
  if (schema.format === 'date-time') return '2030-01-31T20:00:00';
  return name === 'email' ? 'somebody@example.com' : name.replaceAll(/[_-]/g, ' ');
}

/** Members that make an object worth creating, where nothing is required. */
const USUAL = ['title', 'name', 'start_date', 'end_date'];

/** The body that a form begins with: the example of the document, else what is required, else what is usual. */
function firstBody(content, schema) {
  const example = content.example ?? schema.example;
  if (example !== undefined) return example;
  const { properties = {}, required = [] } = schema;
  const wanted = required.length > 0 ? required : USUAL.filter((name) => properties[name] !== undefined);
  return Object.fromEntries(wanted.map((name) => [name, titleOf(name, sampleOf(name, properties[name] ?? {}))]));
}

/** WP: titles are accepted as texts. */
const titleOf = (name, sample) => (name === 'title' && typeof sample === 'object' ? 'Title' : sample);

export const fieldSample = (name, schema) => titleOf(name, sampleOf(name, schema));

function bodyOf(document, requestBody) {
  const content = requestBody?.content['application/json'];
  if (!content) return null;
  const schema = resolved(document, content.schema);
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([name, each]) => ({
    name,
    schema: resolved(document, each),
    required: required.includes(name),
  }));
  return { fields, first: firstBody(content, schema) };
}

/** The first part of a path below its namespace, which its resource is named by. */
const groupOf = (rest) => rest.split('/').find((part) => part !== '') ?? rest;

function operationOf({ document, api }, path, method, declared) {
  const [namespace] = api === 'qa' ? [TEST_API] : declared.tags;
  const below = api === 'qa' ? path.slice('/__qa'.length) : path.slice(namespace.length + 1);
  const { summary, description, parameters = [], requestBody, responses, security = [{}] } = declared;
  const body = bodyOf(document, requestBody);
  const named = parameters.map((each) => ({ ...each, schema: resolved(document, each.schema) }));
  return {
    id: api === 'qa' ? `qa-${declared.operationId}` : declared.operationId,
    ...{ api, document, namespace, path, below, summary, description, parameters: named, body, responses },
    method: method.toUpperCase(),
    group: groupOf(below),
    needsLogin: !security.some((each) => Object.keys(each).length === 0),
    isListedOnly: Object.keys(responses).join(',') === '501',
    // The ID is in English if the summary is not. The IDs of other namespaces are made of paths.
    heading: `${below} ${summary} ${namespace === FIRST[0] ? declared.operationId : ''}`.toLowerCase(),
    names: [...named, ...(body?.fields ?? [])].map((each) => each.name),
  };
}

/** All operations of documents. @param documents `api` is `rest` or `qa`, which says where requests go */
export const operationsOf = (documents) =>
  documents.flatMap((each) =>
    Object.entries(each.document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, declared]) => operationOf(each, path, method, declared)),
    ),
  );

const rank = (name) => (FIRST.includes(name) ? FIRST.indexOf(name) : name === TEST_API ? FIRST.length + 1 : FIRST.length);

/** Groups values by a key, in the order of their first occurrence. */
function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups];
}

/** Operations by namespace and by resource. */
export function namespacesOf(operations) {
  return groupBy(operations, ({ namespace }) => namespace)
    .toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
    .map(([name, own]) => ({
      name,
      note: name === TEST_API ? 'this server: clock, faults, journal' : (NOTES[name] ?? ''),
      operations: own,
      groups: groupBy(own, ({ group }) => group).map(([group, members]) => ({ name: group, operations: members })),
    }));
}

/** How well all words of a text occur in an operation: in its path and name, as its namespace or method, in its parameters, or not at all. */
function matchOf({ heading, namespace, method, names }, words) {
  const others = words.filter((word) => !heading.includes(word));
  const beyond = others.filter((word) => !namespace.toLowerCase().includes(word) && word !== method.toLowerCase());
  const found = names.filter((name) => beyond.some((word) => name.toLowerCase().includes(word)));
  if (!beyond.every((word) => found.some((name) => name.toLowerCase().includes(word)))) return null;
  return { found, rank: beyond.length > 0 ? 2 : others.length > 0 ? 1 : 0 };
}

/** The operations that all words of a text occur in, best first, and the names of the parameters that they were `found` by. */
export function search(namespaces, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const results = namespaces.flatMap(({ operations }) =>
    operations.flatMap((operation) => {
      const match = matchOf(operation, words);
      return match === null ? [] : [{ operation, found: match.found, rank: match.rank + (operation.isListedOnly ? 3 : 0) }];
    }),
  );
  return results.toSorted((a, b) => a.rank - b.rank);
}
