import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { findConfigFiles } from '../config/files.js';

const given = (name: string): string | undefined => process.env[name] || undefined;

/** The running server that the environment names, if any. */
export function serverFromEnvironment(): { url: string; token?: string; adminPassword?: string } | undefined {
  const url = given('UNDERSTUDY_URL');
  if (url === undefined) return undefined;
  const [token, adminPassword] = [given('UNDERSTUDY_QA_TOKEN'), given('UNDERSTUDY_ADMIN_PASSWORD')];
  return {
    url: url.replace(/\/+$/, ''),
    ...(token === undefined ? {} : { token }),
    ...(adminPassword === undefined ? {} : { adminPassword }),
  };
}

/** The number of this worker in jest, vitest or Playwright, else the process id. */
export const workerName = (): string =>
  given('TEST_PARALLEL_INDEX') ?? given('JEST_WORKER_ID') ?? given('VITEST_POOL_ID') ?? `p${process.pid}`;

/** Identifies a shared server by folder, installation, arguments, configuration file and relevant environment variables. */
export function shareKey(cli: string, args: readonly string[]): string {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('UNDERSTUDY_') || name === 'MONGODB_URI');
  const configs = findConfigFiles(process.cwd()).map((file) => [file, statSync(file).mtimeMs]);
  const facts = [process.cwd(), cli, process.version, args, settings.sort(), configs];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 20);
}
