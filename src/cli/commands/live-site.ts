import * as yup from 'yup';
import { ConfigError, environmentVariable, type Option } from '../../server/config/index.js';
import type { LiveClientOptions } from '../../transfer/live/client/client.js';

/** Options of the commands that connect to a live site. */
export interface LiveSiteOptions {
  rate: number;
  timeout: number;
  retries: number;
  login?: string;
  passwordEnv?: string;
}

const number = () => yup.number().typeError('${path} must be a number');
const text = () => yup.string().strict().min(1);

/** @param rate default limit of requests per second */
export const liveSiteOptions = (rate: number): readonly Option<keyof LiveSiteOptions>[] => [
  {
    name: 'rate',
    flag: 'rate',
    value: 'N',
    help: 'Maximum number of requests per second; 0: no limit',
    schema: number().min(0),
    default: rate,
  },
  { name: 'timeout', flag: 'timeout', value: 'SECONDS', help: 'Timeout of a request', schema: number().positive(), default: 30 },
  {
    name: 'retries',
    flag: 'retries',
    value: 'N',
    help: 'How often to retry a request after a temporary error',
    schema: number().integer().min(0),
    default: 5,
  },
  { name: 'login', flag: 'login', value: 'NAME', help: 'User to sign in as, for private content', schema: text() },
  {
    name: 'passwordEnv',
    flag: 'password-env',
    value: 'NAME',
    help: 'Environment variable that holds the application password',
    schema: text(),
  },
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
