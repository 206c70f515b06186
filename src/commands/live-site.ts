import * as yup from 'yup';
import { ConfigError, environmentVariable, type Option } from '../config/index.js';
import type { ClientOptions } from '../content/live/client/client.js';

/** What commands that talk to a live site take. */
export interface LiveSiteOptions {
  rate: number;
  timeout: number;
  retries: number;
  login?: string;
  passwordEnv?: string;
}

const number = () => yup.number().typeError('${path} must be a number');
const text = () => yup.string().strict().min(1);

/** @param rate requests a second that are polite towards somebody else's site */
export const liveSiteOptions = (rate: number): readonly Option<keyof LiveSiteOptions>[] => [
  { name: 'rate', flag: 'rate', value: 'N', help: 'Requests a second at most; 0 sets no limit', schema: number().min(0), default: rate },
  { name: 'timeout', flag: 'timeout', value: 'SECONDS', help: 'Longest wait for one answer', schema: number().positive(), default: 30 },
  {
    name: 'retries',
    flag: 'retries',
    value: 'N',
    help: 'How often a request is made again after a fault that may pass',
    schema: number().integer().min(0),
    default: 5,
  },
  { name: 'login', flag: 'login', value: 'NAME', help: 'Who to sign in as, for what is not public', schema: text() },
  {
    name: 'passwordEnv',
    flag: 'password-env',
    value: 'NAME',
    help: 'Environment variable that holds the application password',
    schema: text(),
  },
];

/** Defaults of a table of options. */
export const defaultsOf = <Name extends string>(table: readonly Option<Name>[]): Partial<Record<Name, unknown>> =>
  Object.fromEntries(
    table.filter(({ default: fallback }) => fallback !== undefined).map(({ name, default: fallback }) => [name, fallback]),
  ) as Partial<Record<Name, unknown>>;

/** The one address that a command is about. @throws ConfigError */
export function siteAddress(operands: readonly string[], command: string): string {
  const [url] = operands;
  if (url === undefined || operands.length > 1) throw new ConfigError(`Usage: understudy ${command} URL [options]`);
  const complete = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
  if (!URL.canParse(complete) || !/^https?:$/.test(new URL(complete).protocol))
    throw new ConfigError(`${url} is no address of a site, such as https://example.org`);
  return complete;
}

/** How the site is talked to. @throws ConfigError when only half of a login is there */
export function clientOptions(given: LiveSiteOptions, more: Pick<ClientOptions, 'signal' | 'tell'> = {}): ClientOptions {
  const { rate, timeout, retries, login, passwordEnv } = given;
  if ((login === undefined) !== (passwordEnv === undefined)) throw new ConfigError('--login and --password-env go together');
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
