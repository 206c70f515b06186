// Whether an answer is one that the service may give.
import { publishedShapes, refusal } from './published.mjs';
import { isObject } from './shapes.mjs';

/** Errors that have no status, which makes them 500, under profile `tec` (WP). */
const WITHOUT_STATUS = ['empty_content', 'empty_term_name', 'invalid_term_name', 'db_insert_error', 'duplicate_term_slug'];

/** How the newer interface says that nothing can be stored of what was sent. */
const FAILED = ['Failed to create entity.', 'Failed to update entity.'];

/** WP: files that cannot be used are failures of the server. */
const UPLOADS = ['rest_upload_unknown_error', 'rest_upload_sideload_error'];

const given = (value) => value !== undefined;

/** WP: in a context that does not exist, such as an array's, nothing of a term is shown. */
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

/** The method that a request comes to, after overrides; undefined when that is open. */
function methodOf({ method, expects: { override } }) {
  if (override === undefined) return method === 'HEAD' ? 'GET' : method;
  if (typeof override !== 'string') return undefined;
  const wanted = override.toUpperCase();
  return wanted === 'HEAD' ? 'GET' : wanted;
}

const isHead = (override) => typeof override === 'string' && override.toUpperCase() === 'HEAD';

/** True for an answer without body by HTTP's own rules. */
const isBodiless = (request, status) =>
  status === 304 ||
  status === 204 ||
  request.method === 'HEAD' ||
  (request.expects.isExact && isHead(request.expects.override) && !given(request.expects.globals._jsonp));

/** What Node's HTTP parser refuses by itself: heads that are too long, bytes in the path that no address may hold. */
const isRefusedByParser = ({ target }, { status, text }) => text === '' && (status === 431 || (status === 400 && /[^ -~]/.test(target)));

/** Reads the JSON of an answer out of what it is wrapped in. */
function unwrap(answer, { globals, isExact }, problems) {
  let { text } = answer;
  const wrapped = /^\/\*\*\/[\w.]+\(([\s\S]*)\)$/.exec(text);
  if (wrapped && (isJsonp(globals._jsonp) || !isExact)) text = wrapped[1];
  const value = parse(text, problems);
  if (!given(globals._envelope) || problems.length > 0) return { value, status: answer.status };
  // A callback that cannot be one is refused before anything else, and is not put into an envelope.
  if (!isObject(value) || value.code === 'rest_callback_invalid' || !('headers' in value)) {
    if (isExact && value?.code !== 'rest_callback_invalid') problems.push('the answer is not in an envelope');
    return { value, status: answer.status };
  }
  if (Object.keys(value).join() !== 'body,status,headers') problems.push(`the envelope holds ${Object.keys(value).join()}`);
  return { value: value.body, status: value.status, headers: value.headers };
}

/** 5xx that are right: those of WordPress's errors without a status, and what the core namespace declares and does not build. */
function isNamedFailure({ value, status }, profile) {
  const code = value?.code;
  // WP: what knows no trash can only be deleted for good.
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
 * Judges the answers of a server.
 * @param site `{ url, profile }`
 * @returns a function from a request and its answer to what is wrong with it, nothing if all is well
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
    // WP: batches.
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
      // A failure that is named comes with a write, and these have answers.
      if (status >= 500 && status !== 501) problems.push(`status ${status}`);
    } else if (isBodilessHere) problems.push('there is a body where there must be none');
    else if (/^application\/(json|javascript)\b/.test(type) && !request.target.startsWith('/__qa')) checkBody(request, answer, problems);
    else if (status >= 500) problems.push(`status ${status}`);
    else if (request.expects.isExact && !isRefusedByParser(request, answer)) problems.push(`status ${status}, content type ${type}`);
    return problems;
  };
}
