import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as yup from 'yup';
import type { Dataset } from '../dataset-types.js';
import { readMoment } from '../moment.js';
import { findLanguage, LANGUAGES } from '../locales/language.js';
import { isKnownVersion, LATEST_VERSION, OLDEST_VERSION, unknownVersion } from '../wp/quirks/plugin-version.js';
import { PROFILES, QUIRK_NAMES, type Profile } from '../wp/quirks.js';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** All options, whether set by flag, by environment variable or in code. */
export interface ServerOptions {
  /** Address to listen on. */
  host: string;
  /** Port to listen on; 0: any free port. */
  port: number;
  /** URL of the site, used in every link; `request`: that of each request. Default: where the server listens. */
  url?: string;
  /** Whether to believe the `X-Forwarded-*` headers of requests. */
  trustProxy: boolean;
  /** Additional namespaces to mount the calendar under. */
  namespaces: string[];
  /** Dataset to load into an empty store: a file of any format, or an object. */
  dataset: string | Dataset;
  /** Folder for the database and uploads. */
  data: string;
  /** Deletes the store when the process ends. */
  ephemeral: boolean;
  /** Time at which to freeze the clock, ISO 8601. */
  now?: string;
  profile: Profile;
  /** Release of The Events Calendar to behave like. Default: that of the dataset, else the newest one. */
  tecVersion?: string;
  /** Quirks to override, as `name=on` or `name=off`. */
  quirks: string[];
  /** Search radius around `geoloc_lat`, `geoloc_lng`, in `geoUnit`. */
  geoRadius: number;
  geoUnit: 'mi' | 'km';
  /** Language of descriptions and pages, as a code or a locale: `de`, `pt_BR`. */
  language?: string;
  /** Whether to serve the test API under `/__qa/`. */
  qa: boolean;
  /** Token that test API requests must send; required unless the server listens on a loopback address. */
  qaToken?: string;
  /** Further host names under which the test API is served without a token; `.example.org` includes the names below. */
  allowedHosts: string[];
  /** How many requests the journal keeps. */
  journal: number;
  /** Sandbox for requests that name none. */
  sandbox?: string;
  /** How many sandboxes to keep ready from the start. */
  sandboxes?: number;
  /** Maximum number of sandboxes. */
  maxSandboxes: number;
  /** Minutes without a request after which a sandbox is deleted; 0: never. */
  sandboxIdle: number;
  /** Parent domain of the sandboxes' host names, in addition to `localhost`. */
  sandboxDomain?: string;
  /** Default request headers, as `Name: value`: added to requests that do not send them. */
  headers: string[];
  logLevel: LogLevel;
  /** `json`: one object a line, a line for every request, and request ids. */
  logFormat: LogFormat;
  /** Whether responses have the id of their request in `X-Request-Id`. */
  requestIds: boolean;
  /** Whether to serve metrics for Prometheus at `/metrics`. */
  metrics: boolean;
  /** URI of a MongoDB to use instead of the embedded engine. */
  mongodbUri?: string;
  /** Whether the embedded engine may be used. */
  embedded: boolean;
  /** Limit of the caches of the server, in MB. */
  cacheMemory: number;
  /** Limit of the cache of a database that is started here, in MB. */
  engineMemory: number;
  /** Folder for the patched copy of the embedded engine. */
  cacheDir?: string;
  /** The user's cache directory, used when the package folder is not writable. */
  userCacheDir?: string;
  /** Path of an installed `mongod`. */
  mongod?: string;
  /** Whether to fetch images from private addresses. */
  allowPrivateUrls: boolean;
  /** Maximum size of a fetched image, in MB. */
  maxImageSize: number;
  /** Timeout for fetching an image, in seconds. */
  imageTimeout: number;
  /** Application password of the first administrator, set when content is loaded. Default: random, if the content has no administrator. */
  adminPassword?: string;
}

/** One command-line option. */
export interface Option<Name extends string = keyof ServerOptions> {
  name: Name;
  flag: string;
  env?: string;
  /** Placeholder of the value; absent for a switch. */
  value?: string;
  help: string;
  schema: yup.Schema;
  /** Separates the values of an option that accepts several. */
  separator?: RegExp;
  default?: string | number | boolean | readonly string[];
  /** For a switch: the value it sets. */
  sets?: boolean;
}

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

export const DEMO_DATASET = path.join(packageRoot, 'fixtures', 'demo.json');

const NAMESPACE = /^[a-z0-9_.-]+(\/[a-z0-9_.-]+)+$/i;

/** The value of `--url` with which links follow the address of each request. */
const FOLLOW_REQUEST = 'request';

const HOST_NAME = /^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

const SANDBOX = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

const text = (): yup.StringSchema => yup.string().strict();

const number = (): yup.NumberSchema => yup.number().typeError('${path} must be a number');

const siteUrl = text().test(
  'url',
  '${path} must be an http(s) URL without query, such as https://example.org, or the word request',
  (value) => {
    if (value === undefined || value === FOLLOW_REQUEST) return true;
    if (!URL.canParse(value)) return false;
    const url = new URL(value);
    return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  },
);

const quirk = text().test(
  'quirk',
  ({ value }) => `invalid quirk ${JSON.stringify(value)}. Use NAME=on or NAME=off, where NAME is one of: ${QUIRK_NAMES.join(', ')}`,
  (value) => {
    const [name, state] = (value ?? '').split('=');
    return (QUIRK_NAMES as string[]).includes(name) && ['on', 'off'].includes(state);
  },
);

const language = text().test(
  'language',
  `\${path} must be one of ${LANGUAGES.join(', ')}, or one of their locales, such as de_DE`,
  (value) => value === undefined || findLanguage(value) !== null,
);

const dateTime = text().test(
  'date-time',
  '${path} must be a time such as 2026-06-15T12:00:00Z',
  (value) => value === undefined || readMoment(value) !== null,
);

/** Whether links follow the address of each request. */
export const followsRequest = ({ url }: Pick<ServerOptions, 'url'>): boolean => url === FOLLOW_REQUEST;

/** The URL of the site, if it is set and the same for all requests. */
export const fixedUrl = (options: Pick<ServerOptions, 'url'>): string | undefined => (followsRequest(options) ? undefined : options.url);

/** Objects are checked when they are loaded. */
const dataset = yup
  .mixed()
  .test('dataset', '${path} must be a file, or an object', (value) =>
    typeof value === 'string' ? value !== '' : value === undefined || (typeof value === 'object' && value !== null),
  );

/** All options. Flags, environment variables, defaults, validation and help are derived from this table. */
export const OPTIONS: readonly Option[] = [
  {
    name: 'host',
    flag: 'host',
    env: 'UNDERSTUDY_HOST',
    value: 'ADDRESS',
    help: 'Address to listen on',
    schema: text().min(1),
    default: '127.0.0.1',
  },
  {
    name: 'port',
    flag: 'port',
    env: 'UNDERSTUDY_PORT',
    value: 'PORT',
    help: 'Port to listen on; 0: any free port',
    schema: number().integer().min(0).max(65535),
    default: 8080,
  },
  {
    name: 'url',
    flag: 'url',
    env: 'UNDERSTUDY_URL',
    value: 'URL',
    help: 'URL of the site, used in every link; request: that of each request (default: where the server listens)',
    schema: siteUrl,
  },
  {
    name: 'trustProxy',
    flag: 'trust-proxy',
    env: 'UNDERSTUDY_TRUST_PROXY',
    help: 'Believe X-Forwarded-Host, -Proto, -Port, -Prefix and -For: only where a proxy sets them',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  {
    name: 'namespaces',
    flag: 'namespace',
    env: 'UNDERSTUDY_NAMESPACES',
    value: 'NAME',
    help: 'Additional namespace to mount the calendar under; repeatable',
    schema: yup.array().of(text().matches(NAMESPACE, 'invalid namespace ${value}. Use the form vendor/v1')),
    separator: /[\s,]+/,
    default: [],
  },
  {
    name: 'dataset',
    flag: 'dataset',
    env: 'UNDERSTUDY_DATASET',
    value: 'FILE',
    help: 'Dataset to load into an empty store (default: the demo calendar)',
    schema: dataset,
    default: DEMO_DATASET,
  },
  {
    name: 'data',
    flag: 'data',
    env: 'UNDERSTUDY_DATA',
    value: 'DIR',
    help: 'Folder for the database and uploads',
    schema: text().min(1),
    default: 'data',
  },
  {
    name: 'ephemeral',
    flag: 'ephemeral',
    env: 'UNDERSTUDY_EPHEMERAL',
    help: 'Delete the store when the process ends',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  { name: 'now', flag: 'now', env: 'UNDERSTUDY_NOW', value: 'ISO', help: 'Time at which to freeze the clock', schema: dateTime },
  {
    name: 'profile',
    flag: 'profile',
    env: 'UNDERSTUDY_PROFILE',
    value: 'NAME',
    help: 'standard: the documented API, with safe defaults; tec: exactly like the plugin',
    schema: yup.string().oneOf(PROFILES),
    default: 'standard',
  },
  {
    name: 'tecVersion',
    flag: 'tec-version',
    env: 'UNDERSTUDY_TEC_VERSION',
    value: 'VERSION',
    help: `Release of The Events Calendar to behave like, ${OLDEST_VERSION} to ${LATEST_VERSION} (default: that of the dataset, or ${LATEST_VERSION})`,
    schema: text().test(
      'version',
      ({ value }) => unknownVersion(value),
      (value) => value === undefined || isKnownVersion(value),
    ),
  },
  {
    name: 'quirks',
    flag: 'quirk',
    env: 'UNDERSTUDY_QUIRKS',
    value: 'NAME=on|off',
    help: 'Turn a quirk of the plugin on or off; repeatable',
    schema: yup.array().of(quirk),
    separator: /[\s,]+/,
    default: [],
  },
  {
    name: 'geoRadius',
    flag: 'geo-radius',
    env: 'UNDERSTUDY_GEO_RADIUS',
    value: 'DISTANCE',
    help: 'Search radius around geoloc_lat, geoloc_lng',
    schema: number().positive(),
    default: 25,
  },
  {
    name: 'geoUnit',
    flag: 'geo-unit',
    env: 'UNDERSTUDY_GEO_UNIT',
    value: 'UNIT',
    help: 'Unit of --geo-radius: mi or km',
    schema: yup.string().oneOf(['mi', 'km']),
    default: 'mi',
  },
  {
    name: 'language',
    flag: 'language',
    env: 'UNDERSTUDY_LANGUAGE',
    value: 'CODE',
    help: `Language of descriptions and pages: ${LANGUAGES.join(', ')} (default: that of the dataset, or en)`,
    schema: language,
  },
  {
    name: 'qa',
    flag: 'no-qa',
    env: 'UNDERSTUDY_QA',
    help: 'Disable the test API under /__qa/',
    schema: yup.boolean(),
    default: true,
    sets: false,
  },
  {
    name: 'qaToken',
    flag: 'qa-token',
    env: 'UNDERSTUDY_QA_TOKEN',
    value: 'TEXT',
    help: 'Token that requests to /__qa/ must send; without one, /__qa/ is served on loopback addresses only',
    schema: text().matches(/^[\x21-\x7e]{8,}$/, '${path} must have at least 8 characters and no spaces'),
  },
  {
    name: 'allowedHosts',
    flag: 'allowed-host',
    env: 'UNDERSTUDY_ALLOWED_HOSTS',
    value: 'NAME',
    help: 'Further host name under which /__qa/ is served without a token; .NAME: with all names below; repeatable',
    schema: yup.array().of(text().matches(HOST_NAME, 'invalid host name ${value}. Use a lowercase name without port')),
    separator: /[\s,]+/,
    default: [],
  },
  {
    name: 'journal',
    flag: 'journal',
    env: 'UNDERSTUDY_JOURNAL',
    value: 'N',
    help: 'How many requests /__qa/journal keeps; 0 disables it',
    schema: number().integer().min(0).max(1_000_000),
    default: 1000,
  },
  {
    name: 'sandbox',
    flag: 'sandbox',
    env: 'UNDERSTUDY_SANDBOX',
    value: 'NAME',
    help: 'Sandbox for requests that name none',
    schema: text().matches(SANDBOX, '${path} must be 1 to 63 lowercase letters, digits, - and _, and start and end with a letter or digit'),
  },
  {
    name: 'sandboxes',
    flag: 'sandboxes',
    env: 'UNDERSTUDY_SANDBOXES',
    value: 'N',
    help: 'Sandboxes to keep ready from the start (default: 4, from the first use)',
    schema: number().integer().min(0).max(64),
  },
  {
    name: 'maxSandboxes',
    flag: 'max-sandboxes',
    env: 'UNDERSTUDY_MAX_SANDBOXES',
    value: 'N',
    help: 'Maximum number of sandboxes',
    schema: number().integer().min(0).max(1000),
    default: 32,
  },
  {
    name: 'sandboxIdle',
    flag: 'sandbox-idle',
    env: 'UNDERSTUDY_SANDBOX_IDLE',
    value: 'MINUTES',
    help: 'Delete a sandbox after this long without a request; 0: never',
    schema: number().min(0),
    default: 30,
  },
  {
    name: 'sandboxDomain',
    flag: 'sandbox-domain',
    env: 'UNDERSTUDY_SANDBOX_DOMAIN',
    value: 'DOMAIN',
    help: 'Domain whose subdomain NAME leads to the sandbox NAME, as NAME.localhost always does',
    schema: text().matches(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, '${path} must be a lowercase domain, such as sandboxes.example.org'),
  },
  {
    name: 'headers',
    flag: 'header',
    env: 'UNDERSTUDY_HEADERS',
    value: 'NAME:VALUE',
    help: 'Default request header, added to requests that do not send it; repeatable',
    schema: yup.array().of(text().matches(/^[\w-]+:\s*\S/, 'invalid header ${value}. Use the form Name: value')),
    separator: /\n/,
    default: [],
  },
  {
    name: 'logLevel',
    flag: 'log-level',
    env: 'UNDERSTUDY_LOG_LEVEL',
    value: 'LEVEL',
    help: `Log level: ${LOG_LEVELS.join(', ')}`,
    schema: yup.string().oneOf(LOG_LEVELS),
    default: 'info',
  },
  {
    name: 'logFormat',
    flag: 'log-format',
    env: 'UNDERSTUDY_LOG_FORMAT',
    value: 'FORMAT',
    help: 'Log format: text, or json: one object a line, with a line for every request, and request ids',
    schema: yup.string().oneOf(LOG_FORMATS),
    default: 'text',
  },
  {
    name: 'requestIds',
    flag: 'request-ids',
    env: 'UNDERSTUDY_REQUEST_IDS',
    help: 'Answer with X-Request-Id, that of the request or a new one, and name it in the log',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  {
    name: 'metrics',
    flag: 'metrics',
    env: 'UNDERSTUDY_METRICS',
    help: 'Serve metrics for Prometheus at /metrics',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  {
    name: 'mongodbUri',
    flag: 'mongodb-uri',
    env: 'MONGODB_URI',
    value: 'URI',
    help: 'URI of a MongoDB to use instead of the embedded engine',
    schema: text().matches(/^mongodb(\+srv)?:\/\//, '${path} must start with mongodb:// or mongodb+srv://'),
  },
  {
    name: 'embedded',
    flag: 'no-embedded',
    env: 'UNDERSTUDY_EMBEDDED',
    help: 'Do not use the embedded MongoDB engine',
    schema: yup.boolean(),
    default: true,
    sets: false,
  },
  {
    name: 'cacheMemory',
    flag: 'cache-memory',
    env: 'UNDERSTUDY_CACHE_MEMORY',
    value: 'MB',
    help: 'Memory for responses, texts and columns that the server caches, in MB',
    schema: number().min(1),
    default: 160,
  },
  {
    name: 'engineMemory',
    flag: 'engine-memory',
    env: 'UNDERSTUDY_ENGINE_MEMORY',
    value: 'MB',
    help: 'Memory for data that the database caches, in MB; not of one given by --mongodb-uri',
    schema: number().min(16),
    default: 1024,
  },
  {
    name: 'cacheDir',
    flag: 'cache-dir',
    env: 'UNDERSTUDY_CACHE_DIR',
    value: 'DIR',
    help: 'Folder for the patched copy of the embedded engine',
    schema: text().min(1),
  },
  {
    name: 'userCacheDir',
    flag: 'user-cache-dir',
    env: 'XDG_CACHE_HOME',
    value: 'DIR',
    help: "The user's cache directory (default: ~/.cache)",
    schema: text().min(1),
  },
  {
    name: 'mongod',
    flag: 'mongod',
    env: 'UNDERSTUDY_MONGOD',
    value: 'FILE',
    help: 'Path of an installed mongod, used when the embedded engine is not',
    schema: text().min(1),
  },
  {
    name: 'allowPrivateUrls',
    flag: 'allow-private-urls',
    env: 'UNDERSTUDY_ALLOW_PRIVATE_URLS',
    help: 'Also fetch images from private addresses',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  {
    name: 'maxImageSize',
    flag: 'max-image-size',
    env: 'UNDERSTUDY_MAX_IMAGE_SIZE',
    value: 'MB',
    help: 'Maximum size of a fetched image, in MB',
    schema: number().positive(),
    default: 16,
  },
  {
    name: 'imageTimeout',
    flag: 'image-timeout',
    env: 'UNDERSTUDY_IMAGE_TIMEOUT',
    value: 'SECONDS',
    help: 'Timeout for fetching an image',
    schema: number().positive(),
    default: 10,
  },
  {
    name: 'adminPassword',
    flag: 'admin-password',
    env: 'UNDERSTUDY_ADMIN_PASSWORD',
    value: 'TEXT',
    help: 'Application password of the first administrator, set when a dataset is loaded',
    schema: text().min(8),
  },
];

/** The options that locate the store. */
export const STORE_OPTIONS: readonly Option[] = OPTIONS.filter(({ name }) =>
  ['data', 'mongodbUri', 'embedded', 'engineMemory', 'cacheDir', 'userCacheDir', 'mongod'].includes(name),
);
