import '../../../base/system/node-version.js';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { glob } from '../../../base/text/glob.js';
import { didYouMean } from '../../../base/text/suggest.js';
import { datasetPaths, type DatasetInput } from '../dataset.js';
import { givenServer } from '../environment.js';
import { nodeFetch } from '../http.js';
import { leaseOwn, type Lease, type SharedServer } from '../share.js';
import { SiteControl, type SiteOptions } from '../site-control.js';
import { isAmong, rerunWithDatasets, type TestRunner } from './rerun.js';
import { forward, sendError, type Behind } from './forward.js';

export interface UnderstudyPluginOptions extends Pick<SiteOptions, 'uploads' | 'create' | 'now'> {
  /**
   * The dataset: an object, the path of a file of any format, or several paths. When a file or a picture of it changes, it is loaded again,
   * and pages reload. Default: as in the configuration file, or the demo calendar.
   */
  dataset?: DatasetInput;
  /** Options of `understudy serve`, such as `['--profile', 'tec']`. */
  server?: readonly string[];
  /** URL of a running server to use. Default: UNDERSTUDY_URL; without either, one is started. */
  url?: string;
  /** Further paths (globs) of the calendar that the dev server is to have, such as `/events/**`. */
  paths?: readonly string[];
}

const OPTIONS: Record<keyof UnderstudyPluginOptions, true> = {
  dataset: true,
  uploads: true,
  create: true,
  now: true,
  server: true,
  url: true,
  paths: true,
};

type Next = (error?: unknown) => void;

/** The part of Vite's servers that is needed here. `vite preview` has neither modules nor a watcher. */
export interface PreviewServer {
  config: { logger: { info: (text: string) => void; error: (text: string) => void } };
  middlewares: { use: (handler: (request: IncomingMessage, response: ServerResponse, next: Next) => void) => unknown };
  /** Absent where another server has the middlewares. */
  httpServer?: { once(event: 'listening' | 'close', listener: () => void): unknown } | null;
  resolvedUrls?: { local: string[] } | null;
  printUrls?: () => void;
}

/** The dev server of Vite. */
export interface DevServer extends PreviewServer {
  watcher: { add: (paths: string[]) => unknown; on: (event: 'change' | 'add', listener: (file: string) => void) => unknown };
  ws: { send: (message: { type: 'full-reload' }) => void };
}

/** A plugin of Vite. */
export interface UnderstudyPlugin {
  name: string;
  apply: 'serve';
  configureServer: (server: DevServer) => void;
  configurePreviewServer: (server: PreviewServer) => void;
  /** Vitest calls it. */
  configureVitest: (context: { vitest: TestRunner }) => void;
  closeBundle: () => Promise<void>;
}

/** Paths of the calendar on the dev server: the REST root, uploads, sandboxes, the test API, feeds, and what signing in needs. */
const PATHS = ['/wp-json/**', '/wp-content/uploads/**', '/__qa/**', '/__sandbox/**', '/wp-login.php', '/wp-admin/**'];
const FEED = /\/feed\/(?:\w+\/?)?$/;
/** Parameters with which any address is one of the calendar. */
const PARAMETERS = ['rest_route', 'ical', 'outlook-ical'];

/** Tells whether a request is for the calendar. @param paths globs of further paths */
export function calendarPaths(paths: readonly string[] = []): (url: string) => boolean {
  const patterns = [...PATHS, ...paths].map(glob);
  return (url) => {
    const [pathname, query = ''] = url.split('?', 2);
    if (FEED.test(pathname) || patterns.some((pattern) => pattern.test(pathname))) return true;
    const parameters = new URLSearchParams(query);
    return PARAMETERS.some((name) => parameters.has(name));
  };
}

/** @throws Error for an unknown option */
function checkOptions(options: object): void {
  const known = Object.keys(OPTIONS);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `understudy: unknown option ${JSON.stringify(unknown)}${didYouMean(unknown, known) || '.'} The options are ${known.join(', ')}.`,
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The server beside a dev server. */
class Calendar {
  private started: Promise<Behind> | undefined;
  private lease: Lease | undefined;
  private site: SiteControl | undefined;
  /** The last load of the dataset: the next one, and requests, wait for it. */
  private loading: Promise<void> = Promise.resolve();

  constructor(private readonly options: UnderstudyPluginOptions) {}

  /**
   * Finds or starts the server, and waits until the dataset is loaded.
   * @throws Error if it cannot be started, or the dataset is invalid
   */
  async open(): Promise<Behind> {
    const server = await (this.started ??= this.start());
    await this.loading;
    return server;
  }

  private async startServer(): Promise<SharedServer> {
    const { now, dataset, server = [] } = this.options;
    // The files of a dataset that is given here are watched here.
    const content = dataset === undefined ? ['--watch'] : ['--dataset', 'empty'];
    const time = dataset === undefined && now !== undefined ? ['--now', new Date(now).toISOString()] : [];
    const args = ['--url', 'request', '--trust-proxy', ...content, ...time, ...server];
    this.lease = await leaseOwn(args, JSON.stringify(this.options));
    return this.lease;
  }

  private async start(): Promise<Behind> {
    const access: SharedServer = givenServer(this.options) ?? (await this.startServer());
    const url = access.localUrl ?? access.url;
    this.site = new SiteControl({ ...access, url, fetch: nodeFetch }, this.options);
    this.load().catch(() => undefined);
    return { url: new URL(url), token: access.token };
  }

  /** Loads the dataset, if one is given. */
  load(): Promise<void> {
    const { dataset } = this.options;
    const seed = async (): Promise<void> => {
      if (dataset !== undefined) await this.site?.seed(dataset);
    };
    this.loading = this.loading.then(seed, seed);
    return this.loading;
  }

  /** The files and folders of the dataset. */
  get files(): string[] {
    return datasetPaths(this.options).filter((file) => existsSync(file));
  }

  async close(): Promise<void> {
    const { lease } = this;
    this.started = this.lease = this.site = undefined;
    await lease?.release();
  }
}

/**
 * A Vite plugin: a calendar beside the dev server, and at its origin. `plugins: [understudy({ dataset: 'calendar.yaml' })]` serves
 * `/wp-json`, uploads, feeds and the test API at `/__qa` with `vite`, `vite preview` and in Vitest's browser mode; builds are not changed. With `vitest --watch`, tests run again when a dataset of
 * their helpers changes.
 */
export function understudy(options: UnderstudyPluginOptions = {}): UnderstudyPlugin {
  checkOptions(options);
  const calendar = new Calendar(options);
  const isForCalendar = calendarPaths(options.paths);

  const attach = (server: PreviewServer): void => {
    const { logger } = server.config;
    const report = (error: unknown): void => logger.error(`understudy: ${messageOf(error)}`);
    const { httpServer, printUrls } = server;
    let isAnnounced = false;
    const announce = (origin: string): void => {
      if (!isAnnounced) logger.info(`  \u279C  Calendar: ${new URL('/__qa/ui', origin).href}`);
      isAnnounced = true;
    };
    if (printUrls)
      server.printUrls = () => {
        printUrls.call(server);
        const [origin] = server.resolvedUrls?.local ?? [];
        if (origin !== undefined) announce(origin);
      };
    httpServer?.once('listening', () => void calendar.open().catch(report));
    httpServer?.once('close', () => void calendar.close());
    server.middlewares.use((request, response, next) => {
      if (!isForCalendar(request.url ?? '')) return next();
      // Within another server, such as Storybook's, the first request tells the origin.
      if (!httpServer && request.headers.host !== undefined) announce(`http://${request.headers.host}`);
      calendar.open().then(
        (behind) => forward(request, response, behind),
        (error: unknown) => {
          if (!httpServer) report(error);
          sendError(response, messageOf(error));
        },
      );
    });
  };

  return {
    name: 'understudy',
    apply: 'serve',
    configureServer: (server) => {
      attach(server);
      const { files } = calendar;
      server.watcher.add(files);
      const reload = (changed: string): void => {
        if (!isAmong(changed, files)) return;
        calendar.load().then(
          () => server.ws.send({ type: 'full-reload' }),
          (error: unknown) => server.config.logger.error(`understudy: ${messageOf(error)}`),
        );
      };
      server.watcher.on('change', reload);
      server.watcher.on('add', reload);
    },
    configurePreviewServer: attach,
    configureVitest: ({ vitest }) => rerunWithDatasets(vitest),
    closeBundle: () => calendar.close(),
  };
}

export default understudy;
