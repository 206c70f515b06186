import * as yup from 'yup';
import { DELAY_FORMS, isDelay } from '../../../base/text/delay.js';
import { faultless } from '../../../base/values/faultless.js';
import { headerProblem } from '../../../base/text/headers.js';
import { templateProblem } from '../../../base/text/template.js';
import type { Json } from '../../../sdk/types/qa.js';
import jsonSchemas from '../dataset-schemas.json' with { type: 'json' };
import {
  filled,
  flagRule,
  idRule,
  listRule,
  mapOf,
  MUST_EXIST,
  pathBelow,
  record,
  textRule,
  about,
  anything,
  wholeFrom,
  wholeRule,
} from '../schema.js';
import { membersOf } from '../../../base/values/records.js';

/** Stubs of a dataset, which are written as in the test API. */

const SCALAR = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };
const scalar = yup.lazy((value: unknown) =>
  typeof value === 'number'
    ? yup.number().strict().defined()
    : typeof value === 'boolean'
      ? yup.boolean().strict().defined()
      : textRule().defined(),
);
const wanted = (description: string) =>
  mapOf(scalar).meta({ ...about(description), jsonSchema: { type: 'object', additionalProperties: SCALAR } });

function regexProblem(source: unknown): string | undefined {
  try {
    void new RegExp(String(source), 'u');
    return undefined;
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
}

const methodRule = () => filled().matches(/^(?:get|head|post|put|patch|delete|options|trace)$/i, 'must be a method of HTTP, such as GET');

const match = record({
  method: yup
    .lazy((value: unknown) => (Array.isArray(value) ? listRule(methodRule()) : methodRule().optional()))
    .meta({
      ...about('One method, or several. Default: all.'),
      jsonSchema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    }),
  path: textRule()
    .matches(/^[/*]/, 'must begin with / or *')
    .meta(about('The path, or the route below /wp-json: * matches within a segment, ** across segments.')),
  regex: textRule().test('regex', faultless(regexProblem)).meta(about('Tested against the URL with its query.')),
  query: wanted('Names and values, with * as wildcard; after !, it must be another or absent.'),
  headers: wanted('Names and values, with * as wildcard; after !, it must be another or absent.'),
  body: anything('A text for the body as sent, with * as wildcard; or members that its JSON or form must have.'),
})
  .optional()
  .default(undefined)
  .meta(about('Which requests it responds to. Default: all.'));

const BODIES = ['body', 'bodyBase64', 'file'] as const;

function bodyProblem(respond: unknown): string | undefined {
  const given = BODIES.filter((name) => membersOf(respond)?.[name] !== undefined);
  return given.length > 1 ? `has ${given.join(' and ')}. Use one of them` : undefined;
}

const respond = record({
  status: wholeRule().min(200, 'must be from 200 to 599').max(599, 'must be from 200 to 599').meta(about('Default: 200.')),
  headers: mapOf(textRule().defined()).meta({
    ...about('Headers of the response.'),
    jsonSchema: { type: 'object', additionalProperties: { type: 'string' } },
  }),
  body: anything('A text, or a value that is sent as JSON.'),
  bodyBase64: textRule()
    .matches(/^[\w+/-]*={0,2}$/, 'is not base64')
    .meta(about('Instead of body: bytes.')),
  file: pathBelow('stubs').optional().meta(about('Instead of body: path relative to the folder stubs.')),
})
  .test('one body', faultless(bodyProblem))
  .test(
    'headers',
    faultless((value) => headerProblem((value as { headers?: Record<string, string> }).headers ?? {})),
  )
  .required(MUST_EXIST)
  .meta(about('The response.'));

const delay = yup
  .lazy(() => yup.mixed().test('delay', `must be ${DELAY_FORMS}`, (value) => value === undefined || isDelay(value)))
  .meta({
    ...about('Delays the response: milliseconds, or a distribution of milliseconds.'),
    jsonSchema: jsonSchemas.delay,
  });

function stubProblem(value: unknown): string | undefined {
  const { respond: { headers = {}, body = null } = {}, template = true } = value as {
    respond?: { headers?: Record<string, string>; body?: Json };
    template?: boolean;
  };
  return template ? templateProblem([headers, body]) : undefined;
}

export const stub = record({
  match,
  respond,
  delay,
  skip: wholeFrom(0).meta(about('Number of matching requests to let through first.')),
  times: idRule().meta(about('Number of requests to respond to. Default: all.')),
  priority: wholeRule().meta(about('Of several stubs that match, the one with the highest priority responds. Default: 0.')),
  template: flagRule().meta(about('Whether {{request.query.page}} and the like stand for values of the request. Default: true.')),
}).test('templates', faultless(stubProblem));

export type DeclaredStub = yup.InferType<typeof stub>;
