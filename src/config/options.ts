import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as yup from 'yup';
import { findLanguage, LANGUAGES } from '../locales/language.js';
import { PROFILES, QUIRK_NAMES, type Profile } from '../wp/quirks.js';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything that can be set, whether by flag, by environment variable or in code. */
export interface ServerOptions {
  /** Address to listen at. */
  host: string;
  /** Port to listen at; 0 takes any that is free. */
  port: number;
  /** Address of the site in every link; where the server listens when absent. */
  url?: string;
  /** Namespaces under which the calendar is mounted, besides the two it always has. */
  namespaces: string[];
  /** Dataset to load into an empty store. */
  dataset: string;
  /** Folder that keeps everything. */
  data: string;
  /** Keeps nothing: the store goes with the process. */
  ephemeral: boolean;
  /** Moment, ISO 8601, at which the clock stands still. */
  now?: string;
  profile: Profile;
  /** Quirks that are on or off whatever the profile says, as `name=on` or `name=off`. */
  quirks: string[];
  /** How far around a point `geoloc_lat`, `geoloc_lng` look for venues, and in what unit. */
  geoRadius: number;
  geoUnit: 'mi' | 'km';
  /** Language of descriptions and pages, as a code or a locale: `de`, `pt_BR`. */
  language?: string;
  /** Whether the routes under `/__qa/` are there. */
  qa: boolean;
  /** What those who use these routes have to know; needed where the server listens to more than this machine. */
  qaToken?: string;
  /** How many requests the journal of the test surface keeps. */
  journal: number;
  /** The sandbox of requests that name none. */
  sandbox?: string;
  /** How many sandboxes are kept prepared from the start on. */
  sandboxes?: number;
  /** How many sandboxes there may be at a time. */
  maxSandboxes: number;
  /** Minutes without a request after which a sandbox is dropped; 0: never. */
  sandboxIdle: number;
  /** Domain below which each sandbox has a host name, besides `localhost`. */
  sandboxDomain?: string;
  /** Headers, as `Name: value`, that requests are taken to have unless they bring their own. */
  headers: string[];
  logLevel: LogLevel;
  /** A MongoDB to use in place of the embedded one. */
  mongodbUri?: string;
  /** Whether the embedded engine may be used. */
  embedded: boolean;
  /** Where the adapted copy of the embedded engine is kept. */
  cacheDir?: string;
  /** The user's cache directory, where the copy goes when the package's own folder cannot be written. */
  userCacheDir?: string;
  /** Path of an installed `mongod`. */
  mongod?: string;
  /** Whether images may be fetched from addresses that are not public. */
  allowPrivateUrls: boolean;
  /** Largest image that is fetched, in MB. */
  maxImageSize: number;
  /** Longest time to wait for an image, in seconds. */
  imageTimeout: number;
  /** Application password of the administrator that a first start creates; made up when absent. */
  adminPassword?: string;
}

/** One thing that can be set on a command line. */
export interface Option<Name extends string = keyof ServerOptions> {
  name: Name;
  flag: string;
  env?: string;
  /** What follows the flag; none for a switch. */
  value?: string;
  help: string;
  schema: yup.Schema;
  /** Between the values of an option that takes several. */
  separator?: RegExp;
  default?: string | number | boolean | readonly string[];
  /** For a switch: what it sets. */
  sets?: boolean;
}

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

export const DEMO_DATASET = path.join(packageRoot, 'fixtures', 'demo.json');

const NAMESPACE = /^[a-z0-9_.-]+(\/[a-z0-9_.-]+)+$/i;

const SANDBOX = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

const text = (): yup.StringSchema => yup.string().strict();

const number = (): yup.NumberSchema => yup.number().typeError('${path} must be a number');

const siteUrl = text().test('url', '${path} must be an http(s) address without query, such as https://example.org', (value) => {
  if (value === undefined) return true;
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
});

const quirk = text().test(
  'quirk',
  ({ value }) =>
    `no quirk is set by ${JSON.stringify(value)}; it takes the form NAME=on or NAME=off, and the names are: ${QUIRK_NAMES.join(', ')}`,
  (value) => {
    const [name, state] = (value ?? '').split('=');
    return (QUIRK_NAMES as string[]).includes(name) && ['on', 'off'].includes(state);
  },
);

const language = text().test(
  'language',
  `\${path} must be one of ${LANGUAGES.join(', ')}, or a locale of these such as de_DE`,
  (value) => value === undefined || findLanguage(value) !== null,
);

/** `Date.parse` reads 30 February as 2 March. */
const isDay = (day: string): boolean => !/^\d{4}-\d\d-\d\d$/.test(day) || new Date(`${day}T00:00Z`).toISOString().startsWith(day);

const moment = text().test(
  'moment',
  '${path} must be a moment such as 2026-06-15T12:00:00Z',
  (value) => value === undefined || (!Number.isNaN(Date.parse(value)) && isDay(value.slice(0, 10))),
);

/** The one table of options: flags, environment variables, defaults, checks and help are all read from it. */
export const OPTIONS: readonly Option[] = [
  {
    name: 'host',
    flag: 'host',
    env: 'UNDERSTUDY_HOST',
    value: 'ADDRESS',
    help: 'Address to listen at',
    schema: text().min(1),
    default: '127.0.0.1',
  },
  {
    name: 'port',
    flag: 'port',
    env: 'UNDERSTUDY_PORT',
    value: 'PORT',
    help: 'Port to listen at; 0 takes any that is free',
    schema: number().integer().min(0).max(65535),
    default: 8080,
  },
  {
    name: 'url',
    flag: 'url',
    env: 'UNDERSTUDY_URL',
    value: 'URL',
    help: 'Address of the site in every link (default: where the server listens)',
    schema: siteUrl,
  },
  {
    name: 'namespaces',
    flag: 'namespace',
    env: 'UNDERSTUDY_NAMESPACES',
    value: 'NAME',
    help: 'One more namespace to mount the calendar under; may be repeated',
    schema: yup.array().of(text().matches(NAMESPACE, '${value} is no namespace: it takes the form vendor/v1')),
    separator: /[\s,]+/,
    default: [],
  },
  {
    name: 'dataset',
    flag: 'dataset',
    env: 'UNDERSTUDY_DATASET',
    value: 'FILE',
    help: 'Dataset to load into an empty store (default: the demo calendar)',
    schema: text().min(1),
    default: DEMO_DATASET,
  },
  {
    name: 'data',
    flag: 'data',
    env: 'UNDERSTUDY_DATA',
    value: 'DIR',
    help: 'Folder that keeps everything',
    schema: text().min(1),
    default: 'data',
  },
  {
    name: 'ephemeral',
    flag: 'ephemeral',
    env: 'UNDERSTUDY_EPHEMERAL',
    help: 'Keep nothing: the store goes with the process',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  { name: 'now', flag: 'now', env: 'UNDERSTUDY_NOW', value: 'ISO', help: 'Moment at which the clock stands still', schema: moment },
  {
    name: 'profile',
    flag: 'profile',
    env: 'UNDERSTUDY_PROFILE',
    value: 'NAME',
    help: 'standard: the documented interface, and safe; tec: exactly as the plugin',
    schema: yup.string().oneOf(PROFILES),
    default: 'standard',
  },
  {
    name: 'quirks',
    flag: 'quirk',
    env: 'UNDERSTUDY_QUIRKS',
    value: 'NAME=on|off',
    help: 'Switch one quirk of the plugin on or off; may be repeated',
    schema: yup.array().of(quirk),
    separator: /[\s,]+/,
    default: [],
  },
  {
    name: 'geoRadius',
    flag: 'geo-radius',
    env: 'UNDERSTUDY_GEO_RADIUS',
    value: 'DISTANCE',
    help: 'How far around geoloc_lat, geoloc_lng venues are looked for',
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
    help: 'Leave out the routes under /__qa/',
    schema: yup.boolean(),
    default: true,
    sets: false,
  },
  {
    name: 'qaToken',
    flag: 'qa-token',
    env: 'UNDERSTUDY_QA_TOKEN',
    value: 'TEXT',
    help: 'What callers of /__qa/ must know; without it the routes are there only on loopback addresses',
    schema: text().matches(/^[\x21-\x7e]{8,}$/, '${path} needs 8 characters or more, without spaces'),
  },
  {
    name: 'journal',
    flag: 'journal',
    env: 'UNDERSTUDY_JOURNAL',
    value: 'N',
    help: 'How many requests /__qa/journal keeps; 0 switches it off',
    schema: number().integer().min(0).max(1_000_000),
    default: 1000,
  },
  {
    name: 'sandbox',
    flag: 'sandbox',
    env: 'UNDERSTUDY_SANDBOX',
    value: 'NAME',
    help: 'Sandbox of requests that name none',
    schema: text().matches(SANDBOX, '${path} must be up to 63 small letters, digits, - and _ between them'),
  },
  {
    name: 'sandboxes',
    flag: 'sandboxes',
    env: 'UNDERSTUDY_SANDBOXES',
    value: 'N',
    help: 'Sandboxes to keep prepared from the start on (default: 4, from the first use on)',
    schema: number().integer().min(0).max(64),
  },
  {
    name: 'maxSandboxes',
    flag: 'max-sandboxes',
    env: 'UNDERSTUDY_MAX_SANDBOXES',
    value: 'N',
    help: 'How many sandboxes there may be at a time',
    schema: number().integer().min(0).max(1000),
    default: 32,
  },
  {
    name: 'sandboxIdle',
    flag: 'sandbox-idle',
    env: 'UNDERSTUDY_SANDBOX_IDLE',
    value: 'MINUTES',
    help: 'Drop a sandbox that nobody has used for so long; 0: never',
    schema: number().min(0),
    default: 30,
  },
  {
    name: 'sandboxDomain',
    flag: 'sandbox-domain',
    env: 'UNDERSTUDY_SANDBOX_DOMAIN',
    value: 'DOMAIN',
    help: 'Domain below which NAME.DOMAIN leads to the sandbox NAME, as NAME.localhost always does',
    schema: text().matches(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, '${path} must be a domain in small letters, such as sandboxes.example.org'),
  },
  {
    name: 'headers',
    flag: 'header',
    env: 'UNDERSTUDY_HEADERS',
    value: 'NAME:VALUE',
    help: 'A header that requests are taken to have unless they bring their own; may be repeated',
    schema: yup.array().of(text().matches(/^[\w-]+:\s*\S/, '${value} is no header: it takes the form Name: value')),
    separator: /\n/,
    default: [],
  },
  {
    name: 'logLevel',
    flag: 'log-level',
    env: 'UNDERSTUDY_LOG_LEVEL',
    value: 'LEVEL',
    help: `How much to say: ${LOG_LEVELS.join(', ')}`,
    schema: yup.string().oneOf(LOG_LEVELS),
    default: 'info',
  },
  {
    name: 'mongodbUri',
    flag: 'mongodb-uri',
    env: 'MONGODB_URI',
    value: 'URI',
    help: 'A MongoDB to use in place of the embedded one',
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
    name: 'cacheDir',
    flag: 'cache-dir',
    env: 'UNDERSTUDY_CACHE_DIR',
    value: 'DIR',
    help: 'Where the adapted copy of the embedded engine is kept',
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
    help: 'An installed mongod to use without the embedded engine',
    schema: text().min(1),
  },
  {
    name: 'allowPrivateUrls',
    flag: 'allow-private-urls',
    env: 'UNDERSTUDY_ALLOW_PRIVATE_URLS',
    help: 'Fetch images also from addresses that are not public',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  {
    name: 'maxImageSize',
    flag: 'max-image-size',
    env: 'UNDERSTUDY_MAX_IMAGE_SIZE',
    value: 'MB',
    help: 'Largest image that is fetched, in MB',
    schema: number().positive(),
    default: 16,
  },
  {
    name: 'imageTimeout',
    flag: 'image-timeout',
    env: 'UNDERSTUDY_IMAGE_TIMEOUT',
    value: 'SECONDS',
    help: 'Longest time to wait for an image',
    schema: number().positive(),
    default: 10,
  },
  {
    name: 'adminPassword',
    flag: 'admin-password',
    env: 'UNDERSTUDY_ADMIN_PASSWORD',
    value: 'TEXT',
    help: 'Application password of the administrator that a first start creates',
    schema: text().min(8),
  },
];

/** The options that say where the store is. */
export const STORE_OPTIONS: readonly Option[] = OPTIONS.filter(({ name }) =>
  ['data', 'mongodbUri', 'embedded', 'cacheDir', 'userCacheDir', 'mongod'].includes(name),
);
