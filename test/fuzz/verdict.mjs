// Checks whether the real service could send a response.
import { publishedShapes, refusal } from './published.mjs';
import { isObject } from './shapes.mjs';

/** WP: errors without a status, which become 500 under profile `tec`. */
const WITHOUT_STATUS = ['empty_content', 'empty_term_name', 'invalid_term_name', 'db_insert_error', 'duplicate_term_slug'];

/** Errors of `tec/v1` when none of the input can be stored. */
const FAILED = ['Failed to create entity.', 'Failed to update entity.'];

/** WP: unusable files are server errors. */
const UPLOADS = ['rest_upload_unknown_error', 'rest_upload_sideload_error'];

const given = (value) => value !== undefined;

/** WP: in an unknown context, such as that of an array, terms have no fields. */
const isUnknownContext = (context) => given(context) && !['view', 'edit', 'embed', ''].includes(context);

const isJsonp = (name) => typeof name === 'string' && name !== '' && name !== '0';

function parse(text, problems) {
  try {
    return JSON.parse(text);
  } catch {
    problems.push(`the body is no JSON: ${text.slice(0, 200)}`);
    return undefined;
  }
}

/** The effective method of a request after overrides. Undefined if ambiguous. */
function methodOf({ method, expects: { override } }) {
  if (override === undefined) return method === 'HEAD' ? 'GET' : method;
  if (typeof override !== 'string') return undefined;
  const wanted = override.toUpperCase();
  return wanted === 'HEAD' ? 'GET' : wanted;
}

const isHead = (override) => typeof override === 'string' && override.toUpperCase() === 'HEAD';

/** Whether HTTP requires an empty body. */
const isBodiless = (request, status) =>
  status === 304 ||
  status === 204 ||
  request.method === 'HEAD' ||
  (request.expects.isExact && isHead(request.expects.override) && !given(request.expects.globals._jsonp));

/** Whether Node's HTTP parser rejected the request: the head is too long, or the path contains invalid bytes. */
const isRefusedByParser = ({ target }, { status, text }) => text === '' && (status === 431 || (status === 400 && /[^ -~]/.test(target)));

/** Parses the JSON of a response, and removes JSONP and envelope. */
function unwrap(answer, { globals, isExact }, problems) {
  let { text } = answer;
  const wrapped = /^\/\*\*\/[\w.]+\(([\s\S]*)\)$/.exec(text);
  if (wrapped && (isJsonp(globals._jsonp) || !isExact)) text = wrapped[1];
  const value = parse(text, problems);
  if (!given(globals._envelope) || problems.length > 0) return { value, status: answer.status };
  // An invalid JSONP callback is rejected first, without an envelope.
  if (!isObject(value) || value.code === 'rest_callback_invalid' || !('headers' in value)) {
    if (isExact && value?.code !== 'rest_callback_invalid') problems.push('the answer is not in an envelope');
    return { value, status: answer.status };
  }
  if (Object.keys(value).join() !== 'body,status,headers') problems.push(`the envelope holds ${Object.keys(value).join()}`);
  return { value: value.body, status: value.status, headers: value.headers };
}

/** Valid server errors: WordPress's errors without a status, and routes of the core namespace that are not implemented. */
function isNamedFailure({ value, status }, profile) {
  const code = value?.code;
  // WP: items without a trash can only be deleted permanently.
  if (status === 501) return code === 'understudy_not_built' || code === 'rest_trash_not_supported';
  if (status !== 500) return false;
  if (UPLOADS.includes(code)) return true;
  if (profile !== 'tec') return false;
  return (WITHOUT_STATUS.includes(code) && value.data === null) || FAILED.includes(value?.error);
}

function checkTotals(value, headers, problems) {
  if (!isObject(value) || !('total' in value)) return;
  if (String(headers['x-tec-total']) !== String(value.total))
    problems.push(`X-TEC-Total is ${headers['x-tec-total']}, total ${value.total}`);
}

/**
 * Checks the responses of a server.
 * @param site `{ url, profile }`
 * @returns a function from a request and its response to a list of problems, which is empty if the response is valid
 */
export function judge({ url, profile }) {
  const shapes = publishedShapes({ url });

  function checkBody(request, answer, problems) {
    const { expects } = request;
    const { value, status, headers = answer.headers } = unwrap(answer, expects, problems);
    if (problems.length > 0) return;
    if (status >= 500 && !isNamedFailure({ value, status }, profile)) problems.push(`status ${status}`);
    const report = { problems, partial: given(expects.globals._fields) || isUnknownContext(expects.globals.context) };
    if (status >= 400) return refusal(status)(value, 'body', { ...report, partial: false });
    // WP: batches respond with 207.
    if (![200, 201, 207].includes(status)) problems.push(`status ${status}`);
    const method = methodOf(request);
    const isKnown = expects.isExact && method !== undefined;
    (isKnown ? shapes.of(expects, method) : shapes.everything)(value, 'body', report);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
    checkTotals(value, lower, problems);
  }

  return (request, answer) => {
    const problems = [];
    const { status, text } = answer;
    const type = answer.headers['content-type'] ?? '';
    const isBodilessHere = isBodiless(request, status);
    if (text === '' && (isBodilessHere || isHead(request.expects.override) || isHead(request.headers['x-http-method-override']))) {
      // The known server errors only occur for writes, whose responses have a body.
      if (status >= 500 && status !== 501) problems.push(`status ${status}`);
    } else if (isBodilessHere) problems.push('there is a body where there must be none');
    else if (/^application\/(json|javascript)\b/.test(type) && !request.target.startsWith('/__qa')) checkBody(request, answer, problems);
    else if (status >= 500) problems.push(`status ${status}`);
    else if (request.expects.isExact && !isRefusedByParser(request, answer)) problems.push(`status ${status}, content type ${type}`);
    return problems;
  };
}
