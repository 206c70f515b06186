import { FAILURES } from '../../base/system/failures.js';
import type { Json } from './request.js';
import { canAssignTerms, canManageTerms } from '../users/capabilities.js';
import type { User } from '../model.js';
import type { Registry } from '../types/registry.js';

/**
 * An error response. The only source of error bodies.
 * WP: an error without a status is sent with 500 and `"data": null`.
 */
export class RestError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number | null,
    readonly data: Record<string, Json> = {},
    readonly additionalData?: Json[],
  ) {
    super(message);
    this.name = 'RestError';
  }

  /** A text that is sent instead of JSON. */
  get text(): { type: string; body: string } | null {
    return null;
  }

  get httpStatus(): number {
    return this.status ?? 500;
  }

  get headers(): Record<string, string> {
    return {};
  }

  body(): Json {
    const data = this.status === null ? null : { status: this.status, ...this.data };
    const body: Record<string, Json> = { code: this.code, message: this.message, data };
    return this.additionalData ? { ...body, additional_data: this.additionalData } : body;
  }
}

/** Too many wrong passwords. */
export class TooManyAttempts extends RestError {
  /** @param wait seconds */
  constructor(private readonly wait: number) {
    super('understudy_too_many_attempts', `Too many wrong passwords. Try again in ${wait} s (--sign-in-attempts).`, 429);
  }

  override get headers(): Record<string, string> {
    return { 'Retry-After': String(this.wait) };
  }
}

/** PHP: an uncaught error. The response is an HTML page. */
export class CriticalError extends RestError {
  constructor() {
    super(FAILURES.critical.code, FAILURES.critical.message, 500);
  }

  override get text(): { type: string; body: string } {
    const head = '<meta charset="utf-8"><meta name="robots" content="noindex"><title>Error</title>';
    return {
      type: 'text/html; charset=UTF-8',
      body: `<!DOCTYPE html>\n<html lang="en"><head>${head}</head><body>${FAILURES.critical.message}</body></html>\n`,
    };
  }
}

/** A large body of a caller without an account. */
export const tooLarge = (): RestError => new RestError(FAILURES.tooLarge.code, FAILURES.tooLarge.message, FAILURES.tooLarge.data.status);

export const noRoute = (): RestError => new RestError('rest_no_route', 'No route was found matching the URL and request method.', 404);

/** WP: 401 for anonymous callers, 403 for others. */
export const forbidden = (loggedIn: boolean): RestError =>
  new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', loggedIn ? 403 : 401);

/** WP: `data.details` is `[]` unless at least one check gave a structured reason. */
export function invalidParams(failures: Record<string, { message: string; code?: string; data?: Json }>): RestError {
  const names = Object.keys(failures);
  const params: Record<string, Json> = {};
  const details: Record<string, Json> = {};
  for (const [name, failure] of Object.entries(failures)) {
    params[name] = failure.message;
    if (failure.code !== undefined) details[name] = { code: failure.code, message: failure.message, data: failure.data ?? null };
  }
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, 400, {
    params,
    details: Object.keys(details).length > 0 ? details : [],
  });
}

export const invalidParam = (name: string): RestError => invalidParams({ [name]: { message: 'Invalid parameter.' } });

export const missingParams = (names: string[]): RestError =>
  new RestError('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, 400, { params: names });

/** An error with its own message: 401 for anonymous callers, 403 for others (WP). */
export const refusal = (user: User | null, code: string, message: string): RestError => new RestError(code, message, user ? 403 : 401);

/** WP: hierarchical terms may be edited by users who manage them. */
export const canEditTerms = (user: User | null, taxonomy: string, registry: Registry): boolean => canManageTerms(user, taxonomy, registry);

/** WP: flat terms may be created by users who may assign them to a post; hierarchical terms by users who may edit them. */
export const canCreateTerms = (user: User | null, taxonomy: string, registry: Registry): boolean =>
  registry.isTree(taxonomy) ? canEditTerms(user, taxonomy, registry) : canAssignTerms(user, taxonomy, registry);
