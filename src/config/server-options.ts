import type * as yup from 'yup';
import type { Dataset } from '../dataset-types.js';
import type { FaultScenario } from '../qa-types.js';
import type { Profile } from '../wp/quirks.js';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export const PROXY_MODES = ['auto', 'record', 'replay', 'passthrough'] as const;
export type ProxyMode = (typeof PROXY_MODES)[number];

/** All options, whether set by flag, by environment variable or in code. */
export interface ServerOptions {
  /** Configuration file with further options; true: that of the working directory, or of the nearest folder above it in the package. */
  config?: string | boolean;
  /** Address to listen on. */
  host: string;
  /** Port to listen on; 0: any free port. */
  port: number;
  /** URL of the site, used in every link; `request`: that of each request. Default: where the server listens. */
  url?: string;
  /** Whether to believe the `X-Forwarded-*` headers of requests. */
  trustProxy: boolean;
  /** Whether to serve HTTPS. The certificate is made once for this user, unless `tlsCert` names one. */
  tls: boolean;
  /** File of the certificate for HTTPS (PEM), which turns HTTPS on. */
  tlsCert?: string;
  /** File of the private key of `tlsCert` (PEM). */
  tlsKey?: string;
  /** Site to ask for what this server does not have. */
  proxy?: string;
  /**
   * `auto`: replay what is stored, ask the site for the rest and store it; `record`: always ask and store; `replay`: never ask;
   * `passthrough`: always ask, store nothing.
   */
  proxyMode: ProxyMode;
  /** Folder of the stored responses of `proxy`. Default: `cassettes/HOST`. */
  cassette?: string;
  /** Paths (globs) that `proxy` takes from the site even if this server has them. */
  proxyPaths: string[];
  /** Whether requests that may change the site are forwarded too. */
  proxyAllowWrites: boolean;
  /** User to sign in as at the site. */
  proxyLogin?: string;
  /** Application password of `proxyLogin`. */
  proxyPassword?: string;
  /** Timeout of a request to the site, in seconds. */
  proxyTimeout: number;
  /** Additional namespaces to mount the calendar under. */
  namespaces: string[];
  /** Dataset to load into an empty store: a file of any format, or an object. */
  dataset: string | Dataset;
  /** Whether to reload the dataset when its file or its pictures change. */
  watch: boolean;
  /** Whether venues, organizers and terms that a dataset only mentions are created. */
  create: boolean;
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
  /** Scenarios of faults, besides the built-in ones: a JSON file, or an object. The members are the names. */
  scenarios?: string | Record<string, FaultScenario>;
  /** Scenarios of faults to switch on from the start. */
  scenario: string[];
  /** URLs to call when content changes. */
  webhooks: string[];
  /** Key of the signature of webhooks. */
  webhookSecret?: string;
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
  /** Seconds after which a request is given up with status 503. */
  requestTimeout: number;
  /** Failed sign-ins per login and address until further ones have to wait; 0: no limit. */
  signInAttempts?: number;
  /** What to do when the database has crashed too often: try again every 10 seconds, or end the process with exit code 1. */
  onDatabaseLoss: 'retry' | 'exit';
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
  /** Whether the value is a path, which in a configuration file is relative to that file. */
  isPath?: boolean;
}
