import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, ClientError, ConnectionError, TimeoutError } from '../client/errors.js';
import type { Health } from '../types/qa.js';
import { Control } from './control.js';
import type { GivenServer, Target } from './environment.js';
import { nodeFetch } from './http.js';
import { ownVersion } from './package.js';

/** How long to wait for a server, in ms. */
const RESPONSE_TIMEOUT = 1800;
const RETRY_INTERVAL = 200;

// Real time, also while tests use fake timers.
const now = performance.now.bind(performance);

/** Where versions are incompatible: before 1.0.0 the minor version counts, then the major version. */
const series = (version: string): string => /^(?:0\.\d+|\d+)/.exec(version)?.[0] ?? version;

const isBusy = (error: unknown): boolean => error instanceof ConnectionError || error instanceof TimeoutError;

/** Waits for a server that may be starting in parallel with the tests. */
async function healthOf(server: GivenServer): Promise<Health> {
  const deadline = now() + RESPONSE_TIMEOUT;
  for (;;) {
    const left = Math.max(1, deadline - now());
    try {
      return await new Control({ ...server, fetch: nodeFetch, timeout: left }).health();
    } catch (error) {
      if (!isBusy(error) || now() + RETRY_INTERVAL > deadline) throw error;
      await sleep(RETRY_INTERVAL);
    }
  }
}

const OWN_ERROR = /^understudy_/;

/** Why a server cannot be used, in a sentence for its name. */
function reasonOf(error: unknown, { token }: GivenServer, isOption: boolean): string {
  if (isBusy(error)) {
    const other = isOption ? 'leave out the option "url"' : 'unset UNDERSTUDY_URL';
    return `does not respond. Start it, or ${other} to let the tests start one.`;
  }
  const { code, body, status } = error as Partial<ApiError>;
  if (code === 'understudy_token_needed')
    return token === undefined
      ? 'requires the token of its test API. Pass it as the option "token", or set UNDERSTUDY_QA_TOKEN.'
      : 'rejects the token: it was started with another one (--qa-token).';
  if (code !== undefined && OWN_ERROR.test(code)) return `cannot be used: ${body?.message}`;
  return `has no test API: the status of GET /__qa/health is ${status}. Either it is another program, or it was started with --no-qa.`;
}

/** Checks that a server can be used. @throws Error that says what to do */
export async function attach(server: GivenServer, { url }: Target): Promise<void> {
  const isOption = url !== undefined;
  const name = `The server at ${isOption ? server.url : `UNDERSTUDY_URL (${server.url})`}`;
  const health = await healthOf(server).catch((error: unknown) => {
    if (!(error instanceof ClientError)) throw error;
    throw new Error(`${name} ${reasonOf(error, server, isOption)}`, { cause: error });
  });
  const { understudy: version } = health as Partial<Health>;
  if (version === undefined) throw new Error(`${name} is another program: GET /__qa/health has no version of Understudy.`);
  const own = await ownVersion();
  if (series(version) !== series(own))
    throw new Error(`${name} is Understudy ${version}, and these helpers are ${own}. Install the same version on both sides.`);
}
