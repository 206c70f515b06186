import * as yup from 'yup';
import {
  setOptions,
  ConfigError,
  environmentVariable,
  OPTIONS,
  PROXY_OPTIONS,
  readArguments,
  serverOptionHelp,
  type Option,
  type ServerOptions,
} from '../../server/config/index.js';
import { valueOption, siteAddress, type Command, helpOf, section } from './command.js';
import { run } from './serve.js';

type ProxyFlag = keyof ServerOptions | 'passwordEnv';

const PASSWORD_ENV: Option<'passwordEnv'> = valueOption(
  'passwordEnv',
  'NAME',
  'Environment variable that holds the application password, instead of --password',
  { schema: yup.string().strict().min(1) },
);

const ownName = (flag: string): string => flag.replace(/^proxy-/, '');

/** The options of the proxy, here without `proxy-` in their names. */
const FLAGS: readonly Option<ProxyFlag>[] = [
  ...PROXY_OPTIONS.filter(({ name }) => name !== 'proxy').map((option) => ({
    ...option,
    flag: ownName(option.flag),
    help: option.help.replace('--proxy-', '--'),
  })),
  PASSWORD_ENV,
];

const SERVER_OPTIONS = OPTIONS.filter((option) => !PROXY_OPTIONS.includes(option));

const passwordFrom = (name: string): string => {
  const password = environmentVariable(name);
  if (password === undefined) throw new ConfigError(`The environment variable ${name} is not set`);
  return password;
};

/** Serves a calendar in front of a live site, which has the rest. */
export const proxy: Command = {
  help: () => helpOf('proxy', section('Proxy', FLAGS), serverOptionHelp(SERVER_OPTIONS)),
  options: [...FLAGS, ...SERVER_OPTIONS],
  run: async (args) => {
    const { given, operands } = readArguments<ProxyFlag>(args, [...FLAGS, ...SERVER_OPTIONS]);
    const { passwordEnv, ...options } = given as Partial<ServerOptions> & { passwordEnv?: string };
    const site = siteAddress(operands, 'proxy');
    const password = passwordEnv === undefined ? {} : { proxyPassword: passwordFrom(passwordEnv) };
    await run(await setOptions({ ...options, ...password, proxy: site }), { isDatasetNamed: options.dataset !== undefined });
  },
};
