import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { misspeltVariables } from '../../base/text/variables.js';
import { findConfigFiles } from '../../base/system/config-files.js';

const given = (name: string): string | undefined => process.env[name] || undefined;

/** A server that runs already. */
export interface GivenServer {
  /** URL without trailing slash. */
  url: string;
  /** Token of its test API, if one is required. */
  token?: string;
  /** Application password of the administrator, if known. */
  adminPassword?: string;
}

/** Which server to use. */
export interface Target {
  url?: string | undefined;
  token?: string | undefined;
}

/** The running server that the options name, else the environment. Undefined: there is none. */
export function givenServer({ url = given('UNDERSTUDY_URL'), token = given('UNDERSTUDY_QA_TOKEN') }: Target): GivenServer | undefined {
  if (url === undefined) return undefined;
  const adminPassword = given('UNDERSTUDY_ADMIN_PASSWORD');
  return {
    url: url.replace(/\/+$/, ''),
    ...(token === undefined ? {} : { token }),
    ...(adminPassword === undefined ? {} : { adminPassword }),
  };
}

/** Warnings about misspelt variables for a running server. */
export const serverVariableWarnings = (): string[] =>
  misspeltVariables(process.env, ['UNDERSTUDY_URL', 'UNDERSTUDY_QA_TOKEN', 'UNDERSTUDY_ADMIN_PASSWORD']);

/** The number of this worker in jest, vitest or Playwright, else the process id. */
export const workerName = (): string =>
  given('TEST_PARALLEL_INDEX') ?? given('JEST_WORKER_ID') ?? given('VITEST_POOL_ID') ?? `p${process.pid}`;

/** Whether the runner has several workers, and this is not the first of them. */
export const isFurtherWorker = (): boolean =>
  Number(given('TEST_PARALLEL_INDEX') ?? 0) > 0 || ['JEST_WORKER_ID', 'VITEST_POOL_ID'].some((name) => Number(given(name) ?? 1) > 1);

/** Whether `node --watch` started this process. With `--test-isolation=none` it watches the whole working directory. */
export const isWatchedByNode = (): boolean => given('WATCH_REPORT_DEPENDENCIES') !== undefined;

/**
 * Identifies a shared server by folder, installation, arguments, configuration file and relevant environment variables.
 * @param apart what else distinguishes it
 */
export function shareKey(cli: string, args: readonly string[], apart: readonly unknown[] = []): string {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('UNDERSTUDY_') || name === 'MONGODB_URI');
  const configs = findConfigFiles(process.cwd()).map((file) => [file, statSync(file).mtimeMs]);
  const facts = [process.cwd(), cli, process.version, args, settings.sort(), configs, apart];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 20);
}
