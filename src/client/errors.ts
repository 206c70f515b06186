import type { ErrorBody } from '../types.js';

/** What was asked when something went wrong. */
export interface Asked {
  method: string;
  url: string;
}

/** Everything that this client throws, but for what the caller's own signal is aborted with. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';

  constructor(
    message: string,
    readonly asked: Asked,
    options?: { cause: unknown },
  ) {
    super(`${asked.method} ${asked.url}: ${message}`, options);
  }
}

/** No answer: nobody listens there, or the connection broke. `cause` tells more. */
export class ConnectionError extends ClientError {
  override readonly name: string = 'ConnectionError';
}

/** No answer within the time that the client waits. */
export class TimeoutError extends ClientError {
  override readonly name: string = 'TimeoutError';
}

/** An answer that is not what this API answers: a page in place of JSON, or a part of one. */
export class AnswerError extends ClientError {
  override readonly name: string = 'AnswerError';

  constructor(
    message: string,
    asked: Asked,
    readonly status: number,
    readonly text: string,
  ) {
    super(message, asked);
  }
}

export interface Refusal {
  status: number;
  headers: { get: (name: string) => string | null };
  /** Undefined: the body is not JSON. */
  body: ErrorBody | undefined;
  text: string;
}

/** An answer with a status of 400 or more. */
export class ApiError extends ClientError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** As the service calls it: `rest_invalid_param`; `http_503` when the answer is not its own. */
  readonly code: string;
  /** What is wrong with each parameter, by name. What is missing is said to be so. */
  readonly params: Record<string, string>;
  readonly body: ErrorBody | undefined;
  /** Text of the body, whatever it is. */
  readonly text: string;
  /** Seconds after which to try again, when the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(asked: Asked, { status, headers, body, text }: Refusal) {
    const code = body?.code ?? `http_${status}`;
    super(body ? `${status} ${code}: ${body.message}` : `${status}, and the body is not JSON`, asked);
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

/** 400: parameters are missing or not valid; `params` names them. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/** 401: nobody is signed in, or login and password do not fit. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}

/** 403: who is signed in may not do this, or nobody may see it. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}

/** 404: there is no such item, page or route. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 410: it is in the trash already. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
}

/** 429: too many requests; `retryAfter` may say how long to wait. */
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

/** The error of an answer, of the class that its status has. */
export function apiError(asked: Asked, refusal: Refusal): ApiError {
  const Class = CLASSES[refusal.status] ?? (refusal.status >= 500 ? ServerError : ApiError);
  return new Class(asked, refusal);
}
