import type { RestRequest } from '../../../wordpress/rest/request.js';
import { type ArgError, type CallContext, type Json, CriticalError, RestError } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';

/** The error of a value. */
export interface CheckProblem {
  name: string;
  /** The part of its code that names the kind of argument. */
  kind: string;
  /** The requirement. */
  rule: string;
  /** TEC: the message says "argument", in older releases "parameter". */
  details: (what: 'argument' | 'parameter') => string;
  /** TEC: older releases do not catch it. */
  isCritical?: true;
}

/** The result of a check: false for a value that is rejected without a reason. */
export type CheckResult = boolean | CheckProblem;

/** Whether only the first error is reported. */
export const stopsAtFirstError = ({ site }: CallContext): boolean => site.quirks.has('tec-v1-stops-at-first-error');

/** Whether any value is accepted. */
export const isUnchecked = ({ site }: CallContext): boolean => site.quirks.has('tec-v1-checks-nothing');

/** Whether a number was sent as a number, if that matters. TEC: defaults were not. */
export const isTyped = (value: Json, { request, site }: CallContext, name: string): boolean =>
  !site.quirks.has('tec-v1-needs-json-numbers') || (typeof value === 'number' && request.isGiven(name));

/** A rejection with its own code, reported together with the others. */
const asArgument = ({ name, kind, rule, details }: CheckProblem): ArgError => ({
  code: `tec_rest_invalid_${kind}_argument`,
  message: `Argument \`{${name}}\` must ${rule}.`,
  data: { status: 400, argument: name, details: details('argument') },
});

const refused = (code: string, message: string, argument: string, details: string): RestError =>
  new RestError(code, message, 400, { argument, details });

/** The same as the only error. */
const asParameter = ({ name, kind, rule, details }: CheckProblem): RestError =>
  refused(`tec_rest_invalid_${kind}_parameter`, `Parameter \`{${name}}\` must ${rule}.`, name, details('parameter'));

const invalidProperty = (name: string): RestError =>
  refused('tec_rest_invalid_property', `Property ${name} is invalid`, name, `The property \`{${name}}\` is invalid.`);

export const invalidQueryParameter = (name: string): RestError =>
  refused(
    'tec_rest_invalid_query_parameter',
    `Query parameter \`{${name}}\` is invalid.`,
    name,
    `The query parameter \`{${name}}\` is invalid.`,
  );

const writesFields = ({ method }: RestRequest): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH';

/** @throws RestError for the first value that is rejected with a reason, and for any in a body */
function firstError(found: false | CheckProblem, name: string, { request, site }: CallContext): false {
  if (found === false) {
    if (writesFields(request)) throw invalidProperty(name);
    return false;
  }
  throw found.isCritical && site.quirks.has('bad-input-is-server-error') ? new CriticalError() : asParameter(found);
}

/** Converts the result of a check. @throws RestError in releases that stop at the first error */
export function verdictOn(found: CheckResult, name: string, context: CallContext): boolean | ArgError {
  if (found === true) return true;
  if (stopsAtFirstError(context)) return firstError(found, name, context);
  return found === false ? false : asArgument(found);
}

/** Requests with unchecked values that cannot be stored. */
const UNSTORABLE = new WeakSet<RestRequest>();

export const markUnstorable = (request: RestRequest): void => void UNSTORABLE.add(request);

export const isUnstorable = (request: RestRequest): boolean => UNSTORABLE.has(request);

/** TEC: some errors have no code, only a message. */
class EntityError extends RestError {
  constructor(message: string, status: number) {
    super('tec_rest_entity', message, status);
  }

  override body(): Json {
    return { error: this.message };
  }
}

/** TEC: the error of a page beyond the last has no data, and the same code in every list. */
class PageError extends RestError {
  override body(): Json {
    return { code: this.code, message: this.message };
  }
}

export const pageNotFound = (): RestError => new PageError('tec_rest_organizers_page_not_found', 'The requested page was not found.', 404);

export const notReadable = (): RestError => new EntityError('The entity could not be read.', 404);

export const notUpdatable = (): RestError => new EntityError('The entity could not be updated.', 404);

export const notDeletable = (): RestError => new EntityError('The entity could not be deleted.', 404);

export const alreadyTrashed = (): RestError => new EntityError('The entity has already been trashed.', 410);

/** The item cannot be stored. TEC: a server error. */
export const notStored = (verb: 'create' | 'update', { quirks }: Site): RestError =>
  new EntityError(`Failed to ${verb} entity.`, quirks.has('bad-input-is-server-error') ? 500 : 400);

const NOT_ACKNOWLEDGED = 'missing_experimental_endpoint_acknowledgement';

export const acknowledgementRefusal = (isGiven: boolean): RestError =>
  new RestError(NOT_ACKNOWLEDGED, `Experimental endpoint requires ${isGiven ? 'appropriate ' : ''}acknowledgement header.`, 400);
