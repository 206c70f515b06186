import { isRecord } from '../../base/values/records.js';
import { parse } from '../formats/dataset/parse.js';
import { DatasetError } from '../problems.js';

/** An object of a document, whose members are not checked yet. */
export type Node = Readonly<Record<string, unknown>>;

/** A document of OpenAPI 3.0 or 3.1, or of Swagger 2.0. */
export type OpenApi = Node & { paths: Node };

/** Why there is no stub for an operation. */
export class Unusable extends Error {}

/** The longest text that is made for a schema, however long it has to be, in characters. */
const MAX_LENGTH = 1_000;

/** Members of a schema that contain values. */
const EXAMPLES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** Shortens the texts that schemas ask for; examples stay as they are. */
function clampLengths(node: unknown, name = ''): void {
  if (node === null || typeof node !== 'object') return;
  const members = node as Record<string, unknown>;
  for (const [key, value] of Object.entries(members)) {
    if (key === 'minLength' && Number(value) > MAX_LENGTH) members[key] = MAX_LENGTH;
    else if (name === 'properties' || !EXAMPLES.has(key)) clampLengths(value, key);
  }
}

/** Reads a document, as JSON or YAML. @throws DatasetError if it is not one */
export function readOpenApi(text: string, name: string): OpenApi {
  const { value } = parse(text, name, /^\s*[{[]/.test(text) ? 'json' : 'yaml');
  const version = isRecord(value) ? (value['openapi'] ?? value['swagger']) : undefined;
  if (!isRecord(value) || !/^(?:2\.0|3\.[0-9])/.test(String(version)))
    throw new DatasetError(name, ['is not an OpenAPI document. It needs "openapi": "3.0.0" or later']);
  const { paths = {} } = value;
  if (!isRecord(paths)) throw new DatasetError(name, [{ path: 'paths', message: 'must be an object' }]);
  clampLengths(value);
  return { ...value, paths };
}

/** How many references may lead to each other. */
const MAX_STEPS = 20;

const unescaped = (step: string): string => {
  const text = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function pointedTo(reference: string, doc: OpenApi): unknown {
  if (!reference.startsWith('#'))
    throw new Unusable(`it refers to another file: ${reference}. Bundle the files into one first, for instance with redocly bundle`);
  let found: unknown = doc;
  for (const step of reference.split('/').slice(1))
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, unescaped(step))
        ? Reflect.get(found, unescaped(step))
        : undefined;
  if (found === undefined) throw new Unusable(`${reference} does not exist`);
  return found;
}

/** An object that may be a reference. @throws Unusable if the reference leads nowhere */
export function resolved(node: unknown, doc: OpenApi): Node {
  let found = node;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const reference = isRecord(found) ? found['$ref'] : undefined;
    if (typeof reference !== 'string') return isRecord(found) ? found : {};
    found = pointedTo(reference, doc);
  }
  throw new Unusable('its references lead to each other');
}
