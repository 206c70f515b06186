import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Webhook, WebhookAttempt, WebhookDelivery } from '../../../sdk/types/qa.js';
import { realTime } from '../../../wordpress/clock.js';

/** Wait before the first retry, in ms. Each further one waits twice as long. */
const FIRST_WAIT = 250;

/** The signature of a body: HMAC-SHA256 in hexadecimal. */
const signatureOf = (secret: string, body: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function headersOf({ id, event }: WebhookDelivery, body: string, secret: string | undefined): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Understudy',
    'X-Understudy-Event': event,
    'X-Understudy-Delivery': id,
    ...(secret === undefined ? {} : { 'X-Understudy-Signature': signatureOf(secret, body) }),
  };
}

/** Why a request failed, for people. */
function reasonOf(error: unknown, timeout: number): string {
  const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `No response within ${timeout} ms.`;
  return cause?.code ?? cause?.message ?? message;
}

async function attempt(hook: Required<Pick<Webhook, 'url' | 'timeout'>>, init: RequestInit, stop: AbortSignal): Promise<WebhookAttempt> {
  const at = new Date(realTime()).toISOString();
  const started = performance.now();
  const ms = (): number => Math.round(performance.now() - started);
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(hook.timeout)]);
    const { status, body } = await fetch(hook.url, { ...init, method: 'POST', redirect: 'manual', signal });
    await body?.cancel();
    return { at, status, ms: ms() };
  } catch (error) {
    return { at, status: null, error: reasonOf(error, hook.timeout), ms: ms() };
  }
}

const isSuccess = ({ status }: WebhookAttempt): boolean => status !== null && status >= 200 && status < 300;

/** Whether another attempt may succeed: no response, too many requests, or an error of the receiver. */
const mayRecover = ({ status }: WebhookAttempt): boolean => status === null || status === 429 || status >= 500;

/**
 * Sends a delivery until it succeeds or fails for good. Its attempts are recorded.
 * @param stop ends it early
 */
export async function deliverWebhook(
  delivery: WebhookDelivery,
  { secret, ...hook }: Required<Pick<Webhook, 'url' | 'timeout' | 'retries'>> & Pick<Webhook, 'secret'>,
  stop: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(delivery.body);
  const init = { body, headers: headersOf(delivery, body, secret) };
  for (let retry = 0; ; retry += 1) {
    const made = await attempt(hook, init, stop);
    delivery.attempts.push(made);
    if (isSuccess(made)) {
      delivery.status = 'delivered';
      return;
    }
    if (stop.aborted || retry >= hook.retries || !mayRecover(made)) break;
    await sleep(FIRST_WAIT * 2 ** retry, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
  }
  delivery.status = 'failed';
}
