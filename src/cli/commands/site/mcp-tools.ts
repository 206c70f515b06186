import { execFile } from 'node:child_process';
import { describedRoutes, schemaOf } from '../../../control/qa/index.js';
import { PREFIX, readable, type QaEndpoint } from '../../../control/tenant/api/route.js';
import { Control } from '../../../sdk/testing/control.js';
import { seedDataset } from '../../../sdk/testing/dataset.js';
import { CommandError } from '../command.js';
import routes from './mcp-routes.json' with { type: 'json' };
import { projectFile, type ServerApi } from './server-api.js';

/** The arguments of a call. The server checks those of a route. */
export type ToolArgs = Record<string, unknown>;

/** A tool of the Model Context Protocol. */
export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, by name. */
  args: Record<string, object>;
  required: readonly string[];
  /** Whether it changes nothing. */
  reads: boolean;
  /** @param connect finds the server, or starts one */
  call: (args: ToolArgs, connect: () => Promise<ServerApi>) => Promise<unknown>;
}

const text = (description: string): object => ({ type: 'string', description });

/**
 * The tools that are a route of the test API, which has their texts and arguments, and the arguments that a call may leave out: few entries of
 * the journal are listed, since each is read by a model.
 */
const ROUTES = routes as unknown as readonly (readonly [name: string, route: string, defaults?: ToolArgs])[];

const SANDBOX = { sandbox: text('Name of the sandbox to act on. Default: the site itself.') };

/** The path of the test API, of the site or of a sandbox. */
const base = (sandbox: unknown): string =>
  typeof sandbox === 'string' && sandbox !== '' ? `/__sandbox/${encodeURIComponent(sandbox)}${PREFIX}` : PREFIX;

const queryOf = (args: ToolArgs): string => {
  const sent = Object.entries(args).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(sent.map(([name, value]): [string, string] => [name, String(value)]));
  return query.size === 0 ? '' : `?${query}`;
};

/** Sends arguments to a route: in its path, and in the query of GET and DELETE or the body of other methods. */
function send(api: ServerApi, method: string, path: string, { sandbox, ...args }: ToolArgs): Promise<unknown> {
  const rest = new Map(Object.entries(args));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined) throw new CommandError(`"${name}" is required`);
    rest.delete(name);
    return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
  });
  const left = Object.fromEntries(rest);
  return method === 'GET' || method === 'DELETE'
    ? api.json(method, `${base(sandbox)}${filled}${queryOf(left)}`)
    : api.json(method, `${base(sandbox)}${filled}`, undefined, left);
}

function routeTools(): Tool[] {
  const endpoints = new Map<string, Omit<QaEndpoint, 'handler'>>(
    describedRoutes().flatMap(({ path, endpoints: all }) =>
      all.flatMap((each) => each.methods.map((method) => [`${method} ${readable(path).slice(PREFIX.length)}`, each] as const)),
    ),
  );
  return ROUTES.map(([name, route, defaults = {}]) => {
    const { summary, args } = endpoints.get(route)!;
    const [method, path] = route.split(' ');
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each);
    const properties = Object.fromEntries(Object.entries(args).map(([each, arg]) => [each, schemaOf(arg) as object]));
    return {
      ...{ name, description: `${summary.replace(/\.$/, '')}.`, reads: method === 'GET' },
      args: {
        ...Object.fromEntries(named.map((each) => [each, text('ID or name.')])),
        ...properties,
        ...(path.startsWith('/sandboxes') ? {} : SANDBOX),
      },
      required: [...new Set([...named, ...Object.entries(args).flatMap(([each, arg]) => (arg.required ? [each] : []))])],
      call: async (sent, connect) => send(await connect(), method, path, { ...defaults, ...sent }),
    };
  });
}

interface Logged {
  method: string;
  url: string;
  status: number;
  response?: { body?: { code?: string; message?: string } | string | null };
}

interface Unhandled {
  request: string;
  status: number;
  times: number;
  message: string;
  routes?: string[];
}

/** Requests by method and URL, with the number of times that they were made. */
function counted(entries: readonly Logged[]): Unhandled[] {
  const found = new Map<string, Unhandled>();
  for (const { method, url, status, response } of entries) {
    const request = `${method} ${url}`;
    const body = response?.body;
    const message = typeof body === 'object' && body !== null ? `${body.code}: ${body.message}` : 'no page';
    found.set(request, { request, status, times: (found.get(request)?.times ?? 0) + 1, message });
  }
  return [...found.values()];
}

/** A request with the routes that it may have meant, if there is none. */
async function withRoutes(found: Unhandled, api: ServerApi, sandbox: unknown): Promise<Unhandled> {
  if (!found.message.startsWith('rest_no_route')) return found;
  const path = found.request.slice(found.request.indexOf(' ') + 1);
  const { routes: meant = [] } = (await send(api, 'POST', '/explain', { path, sandbox })) as { routes?: string[] };
  return meant.length === 0 ? found : { ...found, routes: meant };
}

/** Requests that no route, item or page was found for, or that only real WordPress implements. */
async function unhandled(args: ToolArgs, connect: () => Promise<ServerApi>): Promise<unknown> {
  const api = await connect();
  const statuses = await Promise.all(
    ['404', '501'].map((status) => send(api, 'GET', '/journal', { ...args, status, limit: 200 }) as Promise<{ entries: Logged[] }>),
  );
  const requests = counted(statuses.flatMap(({ entries }) => entries));
  return { requests: await Promise.all(requests.map((each) => withRoutes(each, api, args.sandbox))) };
}

/** Selects what is given of a dataset and a file. @throws CommandError unless it is one */
function contentOf({ dataset, file }: ToolArgs): { dataset: object } | { file: string } {
  const isObject = typeof dataset === 'object' && dataset !== null && !Array.isArray(dataset);
  if (isObject && file === undefined) return { dataset };
  if (typeof file === 'string' && file !== '' && dataset === undefined) return { file };
  throw new CommandError('Give either "dataset", an object, or "file", the path of a dataset file');
}

/** Replaces the content with a file of this machine and its images, or with an object. */
async function seed({ dataset, file, sandbox, ...options }: ToolArgs, connect: () => Promise<ServerApi>): Promise<unknown> {
  const content = contentOf({ dataset, file });
  const api = await connect();
  if ('dataset' in content) return api.json('POST', `${base(sandbox)}/seed${queryOf(options)}`, undefined, content.dataset);
  const control = new Control({
    url: api.url + base(sandbox).slice(0, -PREFIX.length),
    ...(api.token === undefined ? {} : { token: api.token }),
  });
  const savedFile = { file: await projectFile(content.file) };
  return seedDataset(
    { clock: control.clock, seedFiles: (sent) => control.seedFiles({ ...sent, ...options, ...savedFile }) },
    content.file,
    {},
  );
}

/** Checks a dataset as `understudy validate` does, in a process of its own: a module runs there. */
function validate(args: ToolArgs): Promise<unknown> {
  const content = contentOf(args);
  const operands = 'file' in content ? ['--', content.file] : ['--format', 'json', '-'];
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [process.argv[1], 'validate', '--reporter', 'json', ...operands], (error, stdout, stderr) => {
      // Problems are a result; without one, the command could not be run.
      if (stdout.startsWith('{')) resolve(JSON.parse(stdout));
      else reject(new CommandError(stderr.trim() || (error?.message ?? 'validate printed nothing')));
    });
    child.stdin?.on('error', () => undefined).end('dataset' in content ? JSON.stringify(content.dataset) : '');
  });
}

const DATASET = {
  dataset: {
    type: 'object',
    description:
      'The dataset: `events`, `venues`, `organizers`, `categories`, `tags`, `users`, `media`, `site`, `clock`, `stubs`. See the resources `understudy://datasets.md` and `understudy://dataset.schema.json`.',
  },
  file: text(
    'Instead: the path of a dataset file of this machine, such as calendar.yaml. Its images are in the folder `uploads` beside it.',
  ),
};

export const TOOLS: readonly Tool[] = [
  ...routeTools(),
  {
    name: 'seed',
    description: 'Replace all content with a dataset, which a reset restores from then on, or add one. `save` writes to its file.',
    args: {
      ...DATASET,
      mode: { type: 'string', enum: ['replace', 'add'], description: 'Whether to replace the content. Default: replace.' },
      keep: { type: 'boolean', description: 'Whether the clock and the time zone stay if the dataset has none.' },
      now: text('Time of the clock, from which relative dates count.'),
      ...SANDBOX,
    },
    required: [],
    reads: false,
    call: seed,
  },
  {
    name: 'validate',
    description: 'Check a dataset without loading it: problems with their places, and warnings.',
    args: DATASET,
    required: [],
    reads: true,
    call: validate,
  },
  {
    name: 'unhandled',
    description: 'List the requests that found nothing: no route, no item, no page (404), or a route that is not implemented (501).',
    args: { since: text('Only entries after the entry with this ID, or since this time (ISO 8601, real time).'), ...SANDBOX },
    required: [],
    reads: true,
    call: unhandled,
  },
];
