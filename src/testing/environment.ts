import { createHash } from 'node:crypto';

const given = (name: string): string | undefined => process.env[name] || undefined;

/** A server that runs already, when the environment names one. */
export function serverGiven(): { url: string; token?: string; adminPassword?: string } | undefined {
  const url = given('UNDERSTUDY_URL');
  if (url === undefined) return undefined;
  const [token, adminPassword] = [given('UNDERSTUDY_QA_TOKEN'), given('UNDERSTUDY_ADMIN_PASSWORD')];
  return {
    url: url.replace(/\/+$/, ''),
    ...(token === undefined ? {} : { token }),
    ...(adminPassword === undefined ? {} : { adminPassword }),
  };
}

/** Number of this worker among those of the run, as jest, vitest or Playwright count them; otherwise the process. */
export const workerName = (): string =>
  given('TEST_PARALLEL_INDEX') ?? given('JEST_WORKER_ID') ?? given('VITEST_POOL_ID') ?? `p${process.pid}`;

/** Tells apart the servers that tests of one project share: by folder, installation, arguments and what of the environment counts. */
export function shareKey(cli: string, args: readonly string[]): string {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('UNDERSTUDY_') || name === 'MONGODB_URI');
  const facts = [process.cwd(), cli, process.version, args, settings.sort()];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 20);
}
