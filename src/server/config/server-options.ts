import type * as yup from 'yup';
import type { LogFormat, LogLevel } from '../../base/system/log-levels.js';
import type { Dataset } from '../../sdk/types/dataset.js';
import type { FaultScenario } from '../../sdk/types/qa.js';
import type { Profile } from '../../wordpress/quirks.js';

export const PROXY_MODES = ['auto', 'record', 'replay', 'passthrough'] as const;
export type ProxyMode = (typeof PROXY_MODES)[number];

/** All options, whether set by flag, by environment variable or in code. */
export interface ServerOptions {
  /** Configuration file with further options; true: the one in the working directory, or in the nearest folder above it in the package. */
  config?: string | boolean;
  /** Address to listen on; `0.0.0.0`: all of the machine, `::`: with IPv6. */
  host: string;
  /** Port to listen on; 0: any free port. */
  port: number;
  /** Base URL of all links; `request`: the URL of each request. Default: the address of the server, or `request` if it listens on all addresses. */
  url?: string;
  /** Whether to trust the `X-Forwarded-*` headers of requests. */
  trustProxy: boolean;
  /** With `trustProxy`: the number of proxies between clients and the server. */
  trustProxyHops: number;
  /** Whether to serve HTTPS, with a self-signed certificate unless `tlsCert` is set. */
  tls: boolean;
  /** File of the certificate for HTTPS (PEM), which turns HTTPS on. */
  tlsCert?: string;
  /** File of the private key of `tlsCert` (PEM). */
  tlsKey?: string;
  /** URL of the live site that other requests are forwarded to. */
  proxy?: string;
  /**
   * `auto`: replay stored responses, forward and store the rest; `record`: always forward and store; `replay`: never forward;
   * `passthrough`: always forward, never store.
   */
  proxyMode: ProxyMode;
  /** Folder of the stored responses of `proxy`. Default: `cassettes/HOST`. */
  cassette?: string;
  /** Paths (globs) to forward even if this server has them. */
  proxyPaths: string[];
  /** Whether requests that may change the site are forwarded too. */
  proxyAllowWrites: boolean;
  /** User to sign in as on the live site. */
  proxyLogin?: string;
  proxyPassword?: string;
  /** Timeout of a request to the live site, in seconds. */
  proxyTimeout: number;
  /** Additional REST namespaces of the calendar, such as `vendor/v1`. */
  namespaces: string[];
  /** Names of plugins that the site has besides The Events Calendar. Default: as the dataset says. */
  plugins: string[];
  /** Dataset to load into an empty store: a file of any format, or an object. */
  dataset: string | Dataset;
  /** Whether to reload the dataset when its file or its images change. */
  watch: boolean;
  /** Whether to create venues, organizers and terms that a dataset references but does not define. */
  create: boolean;
  /** Folder for the database and uploads. */
  data: string;
  /** Whether the content ends with the server: it is in memory, and much of it in a temporary folder. */
  ephemeral: boolean;
  /** Time at which to freeze the clock, ISO 8601. */
  now?: string;
  profile: Profile;
  /** Release of WordPress to emulate, such as `7.1`. Default: the release in the dataset, or the newest. */
  wordpress?: string;
  /** Release of The Events Calendar to emulate. Default: the release in the dataset, or the latest supported one. */
  tecVersion?: string;
  /** Time zone data: a release such as `2025b`, or a folder of compiled zone files. Default: as the dataset says, or the newest. */
  zones?: string;
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
  /** Additional host names under which the test API is served without a token; `.example.org` includes all subdomains. */
  allowedHosts: string[];
  /** Number of requests to keep in the journal; 0 disables it. */
  journal: number;
  /** Additional fault scenarios by name: a JSON file, or an object. */
  scenarios?: string | Record<string, FaultScenario>;
  /** Fault scenarios to start with the server. */
  scenario: string[];
  /** URLs to call when content changes. */
  webhooks: string[];
  /** Key of the HMAC-SHA256 signature of webhooks. */
  webhookSecret?: string;
  /** Sandbox of requests that do not name one. */
  sandbox?: string;
  /** Number of sandboxes to prepare at the start. Default: 4, prepared on first use. */
  sandboxes?: number;
  maxSandboxes: number;
  /** Minutes without a request after which a sandbox is deleted; 0: never. */
  sandboxIdle: number;
  /** Domain whose subdomains are sandboxes, in addition to `localhost`. */
  sandboxDomain?: string;
  /** Headers to add to requests that do not send them, as `Name: value`. */
  headers: string[];
  logLevel: LogLevel;
  /** `json`: one object per line, including one per request with its ID. */
  logFormat: LogFormat;
  /** Whether to add `X-Request-Id` to responses and log lines. */
  requestIds: boolean;
  /** Seconds after which a request ends with status 503. Loading content is not limited. */
  requestTimeout: number;
  /** Number of failed sign-ins per login and client address before further attempts get 429; 0: no limit. */
  signInAttempts?: number;
  /** Reaction to 7 crashes of the embedded database in a minute: retry every 10 seconds, or exit with code 1. */
  onDatabaseLoss: 'retry' | 'exit';
  /** Whether to serve Prometheus metrics at `/metrics`. */
  metrics: boolean;
  /** URI of a MongoDB server to use instead of the embedded engine. */
  mongodbUri?: string;
  /** Whether the embedded engine may be used. */
  embedded: boolean;
  /** Size of the cache of the server, in MB. */
  cacheMemory: number;
  /** Size of the cache of the embedded database, in MB. */
  engineMemory: number;
  /** Folder for the adapted copy of the embedded engine. */
  cacheDir?: string;
  /** The user's cache directory, used when the package folder is not writable. */
  userCacheDir?: string;
  /** Path of an installed `mongod`. */
  mongod?: string;
  /** Whether to fetch images from private network addresses too. */
  allowPrivateUrls: boolean;
  /** Maximum size of a fetched image, in MB. */
  maxImageSize: number;
  /** Timeout for fetching an image, in seconds. */
  imageTimeout: number;
  /** Application password to set for the first administrator when a dataset is loaded. Default: random, if there is no administrator. */
  adminPassword?: string;
}

/** One command-line option. @internal */
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
  isPath?: boolean | ((value: string) => boolean);
}
