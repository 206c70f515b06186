import { parseSentJson } from '../../../base/values/nesting.js';
import { isRecord } from '../../../base/values/records.js';
import { storedRows } from '../stored.js';

/** Validates untrusted documents. Written by hand for speed: there may be hundreds of thousands. */

interface DocumentProblem {
  /** Path in the document: `meta[2].value`. */
  path: string;
  problem: string;
}

type Report = (path: string, problem: string) => void;
type Check = (value: unknown, path: string, report: Report) => void;

const text: Check = (value, path, report) => {
  if (typeof value !== 'string') report(path, value === undefined ? 'is missing' : 'must be a string');
};
const filled: Check = (value, path, report) => {
  text(value, path, report);
  if (value === '') report(path, 'must not be empty');
};
const whole: Check = (value, path, report) => {
  if (!Number.isSafeInteger(value)) report(path, value === undefined ? 'is missing' : 'must be an integer');
};
const id: Check = (value, path, report) => {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    report(path, value === undefined ? 'is missing' : 'must be a positive integer');
};
const OUTSIDE = /^[/\\]|^[a-z]:|\\|(^|\/)\.\.(\/|$)|\0/i;
const below: Check = (value, path, report) => {
  if (typeof value !== 'string' || value === '' || OUTSIDE.test(value)) report(path, 'must be a path relative to the uploads folder');
};
const record: Check = (value, path, report) => {
  if (!isRecord(value)) report(path, value === undefined ? 'is missing' : 'must be an object');
};

const optional =
  (check: Check): Check =>
  (value, path, report) => {
    if (value !== undefined) check(value, path, report);
  };

const listOf =
  (check: Check): Check =>
  (value, path, report) => {
    if (!Array.isArray(value)) return report(path, value === undefined ? 'is missing' : 'must be a list');
    for (let index = 0; index < value.length; index += 1) check(value[index], `${path}[${index}]`, report);
  };

const mapOf =
  (check: Check): Check =>
  (value, path, report) => {
    if (!isRecord(value)) return report(path, value === undefined ? 'is missing' : 'must be an object');
    for (const name of Object.keys(value)) check(value[name], `${path}.${name}`, report);
  };

const fields = (checks: Record<string, Check>): Check => {
  const entries = Object.entries(checks);
  return (value, path, report) => {
    if (!isRecord(value)) return report(path, value === undefined ? 'is missing' : 'must be an object');
    for (const [name, check] of entries) check(value[name], path === '' ? name : `${path}.${name}`, report);
  };
};

const size = fields({ file: below, width: whole, height: whole });
const imageFields = fields({ width: whole, height: whole, file: below, sizes: mapOf(size), original_image: optional(below) });
const image: Check = (value, path, report) => {
  if (value !== null) imageFields(value, path, report);
};

/** Values of fields of plugins: the JSON of an object. */
const jsonObject: Check = (value, path, report) => {
  try {
    if (typeof value === 'string' && isRecord(parseSentJson(value))) return;
  } catch {
    // Reported below.
  }
  report(path, 'must be the JSON of an object');
};
const ofPlugins = optional(mapOf(jsonObject));

const VALUES: Readonly<Record<string, Check>> = { id, whole, text, filled };

/** The checks of the members that all documents of a kind have. */
const common = (kind: Parameters<typeof storedRows>[0]): Record<string, Check> =>
  Object.fromEntries(storedRows(kind).map(([member, , value]) => [member, VALUES[value]]));

const post = fields({
  ...common('post'),
  mimeType: optional(text),
  file: optional(below),
  image: optional(image),
  guid: optional(text),
  version: optional(whole),
  meta: listOf(fields({ key: text, value: text })),
  fields: ofPlugins,
  terms: mapOf(listOf(id)),
});

const term = fields({ ...common('term'), fields: ofPlugins });

const user = fields({
  ...common('user'),
  passwordHash: optional(text),
  applicationPasswords: listOf(fields({ uuid: text, name: text, hash: text, created: whole })),
  fields: ofPlugins,
});

const comment = fields({ ...common('comment'), previous: optional(text), noteStatus: optional(text), fields: ofPlugins });

const facts = fields({ mimeType: text, width: whole, height: whole, orientation: whole });
const file = fields({ target: below, data: text, image: optional(facts) });

const CHECKS = { options: record, user, term, post, comment, file } as const;

/** Validates a document. @returns its problems */
export function documentProblems(kind: keyof typeof CHECKS, value: unknown): DocumentProblem[] {
  const found: DocumentProblem[] = [];
  CHECKS[kind](value, '', (path, problem) => found.push({ path, problem }));
  return found;
}
