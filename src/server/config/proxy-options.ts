import * as yup from 'yup';
import { number, proxiedUrl, textSchema } from './schemas.js';
import { PROXY_MODES, type Option } from './server-options.js';

/** The options of the proxy. `understudy proxy` takes them without the prefix. */
export const PROXY_OPTIONS: readonly Option[] = [
  {
    name: 'proxy',
    flag: 'proxy',
    env: 'UNDERSTUDY_PROXY',
    value: 'URL',
    help: 'Live site to forward other requests to: routes of other plugins, pages, files',
    schema: proxiedUrl,
  },
  {
    name: 'proxyMode',
    flag: 'proxy-mode',
    env: 'UNDERSTUDY_PROXY_MODE',
    value: 'MODE',
    help: 'auto: replay stored responses, forward and store the rest; record: always forward and store; replay: never forward; passthrough: always forward, never store',
    schema: yup.string().oneOf(PROXY_MODES),
    default: 'auto',
  },
  {
    name: 'cassette',
    flag: 'cassette',
    env: 'UNDERSTUDY_CASSETTE',
    value: 'DIR',
    isPath: true,
    help: 'Folder of the stored responses (default: cassettes/HOST)',
    schema: textSchema().min(1),
  },
  {
    name: 'proxyPaths',
    flag: 'proxy-path',
    env: 'UNDERSTUDY_PROXY_PATHS',
    value: 'GLOB',
    help: 'Path to forward even if this server has it, such as / or /wp-json/wp/v2/pages/**; repeatable',
    schema: yup.array().of(textSchema().matches(/^[/*]/, 'invalid path ${value}. Start it with / or *')),
    separator: /[\s,]+/,
    default: [],
  },
  {
    name: 'proxyAllowWrites',
    flag: 'proxy-allow-writes',
    env: 'UNDERSTUDY_PROXY_ALLOW_WRITES',
    help: 'Also forward requests that may change the site: POST, PUT, PATCH, DELETE, and all to wp-admin or wp-login.php',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  {
    name: 'proxyLogin',
    flag: 'proxy-login',
    env: 'UNDERSTUDY_PROXY_LOGIN',
    value: 'NAME',
    help: 'User to sign in as on the live site',
    schema: textSchema().min(1),
  },
  {
    name: 'proxyPassword',
    flag: 'proxy-password',
    env: 'UNDERSTUDY_PROXY_PASSWORD',
    value: 'TEXT',
    help: 'Application password of --proxy-login',
    schema: textSchema().min(1),
  },
  {
    name: 'proxyTimeout',
    flag: 'proxy-timeout',
    env: 'UNDERSTUDY_PROXY_TIMEOUT',
    value: 'SECONDS',
    help: 'Timeout of a request to the live site',
    schema: number().positive(),
    default: 30,
  },
];
