import * as yup from 'yup';
import { ConfigError, environmentVariable, type Option } from '../../server/config/index.js';
import type { LiveClientOptions } from '../../transfer/live/client/client.js';
import { valueOption } from './command.js';

/** Options of the commands that connect to a live site. */
export interface LiveSiteOptions {
  rate: number;
  timeout: number;
  retries: number;
  login?: string;
  passwordEnv?: string;
}

const number = () => yup.number().typeError('${path} must be a number');
/** @param rate default limit of requests per second */
export const liveSiteOptions = (rate: number): readonly Option<keyof LiveSiteOptions>[] => [
  valueOption('rate', 'N', 'Maximum number of requests per second; 0: no limit', { schema: number().min(0), default: rate }),
  valueOption('timeout', 'SECONDS', 'Timeout of a request', { schema: number().positive(), default: 30 }),
  valueOption('retries', 'N', 'How often to retry a request after a temporary error', { schema: number().integer().min(0), default: 5 }),
  valueOption('login', 'NAME', 'User to sign in as, for private content'),
  valueOption('passwordEnv', 'NAME', 'Environment variable that holds the application password'),
];

export const defaultsOf = <Name extends string>(table: readonly Option<Name>[]): Partial<Record<Name, unknown>> =>
  Object.fromEntries(
    table.filter(({ default: fallback }) => fallback !== undefined).map(({ name, default: fallback }) => [name, fallback]),
  ) as Partial<Record<Name, unknown>>;

/** The URL that a command requires as its only operand. @throws ConfigError */
export function siteAddress(operands: readonly string[], command: string): string {
  const [url] = operands;
  if (url === undefined) throw new ConfigError(`The URL of the site is missing. Usage: understudy ${command} URL [options]`);
  if (operands.length > 1) throw new ConfigError(`Unexpected argument ${operands[1]}. Usage: understudy ${command} URL [options]`);
  const complete = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
  if (!URL.canParse(complete) || !/^https?:$/.test(new URL(complete).protocol))
    throw new ConfigError(`invalid URL ${url}. Use the URL of a site, such as https://example.org`);
  return complete;
}

/** Options of the HTTP client. @throws ConfigError if the login or the password is missing */
export function clientOptions(given: LiveSiteOptions, more: Pick<LiveClientOptions, 'signal' | 'notify'> = {}): LiveClientOptions {
  const { rate, timeout, retries, login, passwordEnv } = given;
  if ((login === undefined) !== (passwordEnv === undefined)) throw new ConfigError('--login and --password-env must be used together');
  const password = passwordEnv === undefined ? undefined : environmentVariable(passwordEnv);
  if (passwordEnv !== undefined && password === undefined) throw new ConfigError(`The environment variable ${passwordEnv} is not set`);
  return {
    rate,
    timeoutMs: timeout * 1000,
    retries,
    ...(login === undefined || password === undefined ? {} : { credentials: { login, password } }),
    ...more,
  };
}
