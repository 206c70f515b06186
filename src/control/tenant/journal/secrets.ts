import { maskBody } from '../../../base/text/secrets.js';
import { MAX_BODY } from './journal.js';

/** URLs whose bodies contain passwords without a name, in requests or responses. */
const CONFIDENTIAL = /\/wp-login\.php|\/authorize-application\.php|\/application-passwords/i;

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** Whether the bodies of a request and its response must not be recorded. */
export const isConfidential = (url: string): boolean => CONFIDENTIAL.test(decoded(url));

/** A body as it is recorded: without its secrets. One in which they cannot be found is left out. */
export function withoutSecrets(body: Buffer | null, type: string): Buffer | null {
  // The journal drops it.
  if (body === null || body.length > MAX_BODY) return body;
  try {
    return maskBody(body, type);
  } catch {
    // It is nested too deeply.
    return null;
  }
}
