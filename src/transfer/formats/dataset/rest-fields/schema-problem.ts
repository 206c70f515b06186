import { isRecord } from '../../../../base/values/records.js';
import { FIELD_CONTEXTS } from '../../../../wordpress/types/declared-fields.js';

type Check = (value: unknown) => string | null;

const must =
  (rule: string, isFine: (value: unknown) => boolean): Check =>
  (value) =>
    isFine(value) ? null : `must be ${rule}`;

const listOf = (value: unknown, isFine: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isFine);

const isName = (value: unknown): boolean => typeof value === 'string' && /^[a-z]+$/.test(value);

const text = must('a string', (value) => typeof value === 'string');
const flag = must('true or false', (value) => typeof value === 'boolean');
const number = must('a number', (value) => typeof value === 'number');
const count = must('a number from 0', (value) => Number.isInteger(value) && Number(value) >= 0);

const first = (problems: readonly (string | null)[]): string | null => problems.find((problem) => problem !== null) ?? null;

const below = (name: string, value: unknown): string | null => {
  const problem = schemaProblem(value);
  return problem === null ? null : `${name}: ${problem}`;
};

const each: Check = (value) =>
  Array.isArray(value) && value.length > 0 ? first(value.map((choice, index) => below(`[${index}]`, choice))) : 'must be a list of schemas';

const pattern: Check = (value) => {
  if (typeof value !== 'string') return text(value);
  try {
    void new RegExp(value, 'u');
    return null;
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
};

/** The keywords that WordPress checks; others are only shown. */
const KEYWORDS: Readonly<Record<string, Check>> = {
  // WP: plugins write types that it does not know, such as `int`.
  type: must('the name of a type, or a list of names', (value) => isName(value) || listOf(value, isName)),
  title: text,
  description: text,
  format: text,
  enum: must('a list of values', (value) => listOf(value, () => true)),
  items: (value) => schemaProblem(value),
  properties: (value) =>
    // PHP: a map without members is a list.
    isRecord(value) || (Array.isArray(value) && value.length === 0)
      ? first(Object.entries(value).map(([name, property]) => below(name, property)))
      : 'must be an object with a schema for each name',
  additionalProperties: (value) => (typeof value === 'boolean' ? null : schemaProblem(value)),
  oneOf: each,
  anyOf: each,
  minimum: number,
  maximum: number,
  exclusiveMinimum: flag,
  exclusiveMaximum: flag,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  readonly: flag,
  pattern,
  context: must(`a list of ${FIELD_CONTEXTS.join(', ')}`, (value) =>
    listOf(value, (context) => FIELD_CONTEXTS.some((known) => known === context)),
  ),
};

/** Problem with the schema of a field; null: none. */
export function schemaProblem(schema: unknown): string | null {
  if (!isRecord(schema)) return 'must be a schema, such as { "type": "string" }';
  for (const [keyword, value] of Object.entries(schema)) {
    const problem = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword](value) : null;
    if (problem !== null) return `${keyword} ${problem}`;
  }
  return null;
}
