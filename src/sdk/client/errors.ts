import type { ErrorBody } from '../types/responses.js';

/** The request of an error. */
export interface FailedRequest {
  method: string;
  url: string;
  /** The parameter of its path that names one item. */
  item?: 'id' | 'slug' | undefined;
}

/** Base class of all errors of the client, except for the reason of an aborted signal. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';

  constructor(
    message: string,
    readonly request: FailedRequest,
    options?: { cause: unknown },
  ) {
    super(`${request.method} ${request.url}: ${message}`, options);
  }
}

/** No response: the connection failed. See `cause`. */
export class ConnectionError extends ClientError {
  override readonly name: string = 'ConnectionError';
}

/** No response within the timeout. */
export class TimeoutError extends ClientError {
  override readonly name: string = 'TimeoutError';
}

/** A response that is not valid JSON, such as an HTML page. */
export class ResponseError extends ClientError {
  override readonly name: string = 'ResponseError';

  constructor(
    message: string,
    request: FailedRequest,
    readonly status: number,
    readonly text: string,
  ) {
    super(message, request);
  }
}

/** A response with an error status. */
export interface ErrorResponse {
  status: number;
  headers: { get: (name: string) => string | null };
  /** Undefined: the body is not an error in JSON. */
  body: ErrorBody | undefined;
  text: string;
}

/** A response with a status of 400 or above. */
export class ApiError extends ClientError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** The error code of the service, such as `rest_invalid_param`; `http_503` if the response is not from the service. */
  readonly code: string;
  /** Errors of single parameters, by name, including missing parameters. */
  readonly params: Record<string, string>;
  readonly body: ErrorBody | undefined;
  /** The body as text. */
  readonly text: string;
  /** The `Retry-After` header in seconds, if present. */
  readonly retryAfter: number | undefined;

  constructor(request: FailedRequest, { status, headers, body, text }: ErrorResponse) {
    const code = body?.code ?? `http_${status}`;
    super(body ? `${status} ${code}: ${body.message}` : `status ${status}, and the body is not JSON`, request);
    this.status = status;
    this.code = code;
    this.params = paramsOf(body);
    this.body = body;
    this.text = text;
    const wait = headers.get('retry-after');
    this.retryAfter = wait !== null && /^\d+$/.test(wait) ? Number(wait) : undefined;
  }
}

function paramsOf(body: ErrorBody | undefined): Record<string, string> {
  const params = body?.data?.params ?? {};
  return Array.isArray(params) ? Object.fromEntries(params.map((name) => [name, 'Missing parameter.'])) : params;
}

/** 400: parameters are missing or invalid; see `params`. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/** 401: not signed in, or invalid credentials. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}

/** 403: the user may not do this. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}

/**
 * 404: the item, page or route does not exist. TEC: with status 400 for an item that is requested by slug, or is not an event, and for a page of
 * tickets or attendees.
 */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 410: the item is already in the trash. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
}

/** 429: too many requests; see `retryAfter`. */
export class TooManyRequestsError extends ApiError {
  override readonly name = 'TooManyRequestsError';
}

/** 500 and above. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

const CLASSES: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  410: GoneError,
  429: TooManyRequestsError,
};

/** Creates an error of the class for its status. */
export function apiError(request: FailedRequest, response: ErrorResponse): ApiError {
  const { status, body } = response;
  const rejected = Object.keys(paramsOf(body));
  const isUnknown =
    status === 400 &&
    (body?.code === 'invalid-page-number' ||
      (body?.code === 'rest_invalid_param' && rejected.length === 1 && rejected[0] === request.item));
  const Class = isUnknown ? NotFoundError : (CLASSES[status] ?? (status >= 500 ? ServerError : ApiError));
  return new Class(request, response);
}
