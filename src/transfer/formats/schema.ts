import * as yup from 'yup';
import { didYouMean } from '../../base/text/suggest.js';
import type { Problems } from '../source.js';
import { fieldHint, fieldMeant, formHint } from './field-suggestions.js';

// Messages omit the path, which is prepended to them.

/** The part of a message that quotes the value. The file may spell it differently: 01067 for 1067. */
const REPEATED = /(?<=Put it in quotes: ").*(?="$)|(?<=Write \[).*(?=\]$)/;

/** A message that repeats a value, as it is written if that is known. */
export const asWritten = (message: string, written: () => string | undefined): string =>
  message.replace(REPEATED, (value) => written() ?? value);

export const MUST_EXIST = 'is missing';
const NO_NULL = 'must not be null. Leave it out instead';
const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';
export const textRule = () =>
  yup
    .string()
    .strict()
    .typeError(({ value }) => `must be a string${isPlain(value) ? `. Put it in quotes: "${value}"` : ''}`)
    .nonNullable(NO_NULL);
export const flagRule = () =>
  yup
    .boolean()
    .strict()
    .typeError(({ value }) => `must be true or false, not ${JSON.stringify(value)}`)
    .nonNullable(NO_NULL);
export const filled = () => textRule().required(MUST_EXIST).matches(/\S/, { message: 'must not be empty', excludeEmptyString: true });
/** Must be there, but may be empty. */
export const present = () =>
  textRule()
    .defined(MUST_EXIST)
    .test('required', MUST_EXIST, (value) => value !== undefined);
const OUTSIDE = /^[/\\]|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i;
/** A relative path with slashes. Dataset files are untrusted and must not access files outside the folder. */
export const pathBelow = (folder = 'uploads') =>
  filled().test('below', `must be a path relative to the ${folder} folder`, (value) => !OUTSIDE.test(value ?? ''));
export const oneOf = <T extends string>(values: readonly T[]) =>
  textRule().oneOf(
    values,
    ({ value }) => `must be one of ${values.join(', ')}, not ${JSON.stringify(value)}${didYouMean(String(value), values)}`,
  );
export const wholeRule = () => yup.number().strict().typeError('must be a number').nonNullable(NO_NULL).integer('must be an integer');
export const wholeFrom = (least: number) => wholeRule().min(least, least === 0 ? 'must not be negative' : `must be at least ${least}`);
export const idRule = () => wholeFrom(1);
const noList = ({ value }: { value?: unknown }): string => `must be a list${typeof value === 'string' ? `. Write [${value}]` : ''}`;
export const listRule = <T>(item: yup.ISchema<T>) => yup.array().strict().typeError(noList).nonNullable(NO_NULL).of(item);

/** Any value, null too. */
export const anything = (description: string) => yup.lazy(() => yup.mixed().nullable()).meta(about(description));

/** An object with any names as members. */
export const mapOf = <T>(value: yup.ISchema<T>) =>
  yup.lazy((given: unknown) => {
    const names = typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.keys(given) : [];
    return yup
      .object(Object.fromEntries(names.map((name) => [name, value])))
      .typeError('must be an object')
      .nonNullable(NO_NULL)
      .optional()
      .default(undefined);
  });

/** The path of a member: `events[3].venue`. */
const memberPath = (parent: string | undefined, name: string): string => {
  const step = /^[^.[\]"]+$/.test(name) ? name : `["${name}"]`;
  return !parent || step.startsWith('[') ? `${parent ?? ''}${step}` : `${parent}.${step}`;
};

/** Rejects members that a record does not have; each is a separate problem. */
const noOthers = (known: readonly string[]): yup.TestFunction<object | null | undefined> =>
  function (value) {
    const unknown = Object.keys(value ?? {}).filter((name) => !known.includes(name));
    const problems = unknown.map((name) => {
      const meant = fieldMeant(name, known);
      const params = meant === undefined ? {} : { meant: memberPath(this.path, meant) };
      return this.createError({ path: memberPath(this.path, name), message: `unknown field${fieldHint(name, known, !this.path)}`, params });
    });
    return unknown.length === 0 || new yup.ValidationError(problems);
  };

export const record = <T extends yup.ObjectShape>(fields: T) =>
  yup
    .object(fields)
    .typeError(({ path }) => (path !== 'this' ? 'must be an object' : 'must be an object with lists, such as { "events": […] }'))
    .nonNullable(NO_NULL)
    .test('unknown', noOthers(Object.keys(fields)));

const meantBy = ({ params }: yup.ValidationError): string | undefined => {
  const meant = params?.['meant'];
  return typeof meant === 'string' ? meant : undefined;
};

/** Validates a value against a schema. Adds every error to `problems` with its path; returns true if there are none. */
export function checkAgainst<T>(schema: yup.Schema<T>, value: unknown, problems: Problems): value is T {
  try {
    schema.validateSync(value, { abortEarly: false, strict: true });
    return true;
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    const issues = error.inner.length > 0 ? error.inner : [error];
    // A misspelt name is one problem, not two.
    const meant = new Set(issues.map(meantBy));
    for (const issue of issues) {
      const { path = '', message } = issue;
      if (message !== MUST_EXIST || !meant.has(path)) problems.add(path, `${message}${formHint(path, message)}`, { meant: meantBy(issue) });
    }
    return false;
  }
}

/** The metadata of a rule. */
export const about = (description: string): { description: string } => ({ description });
