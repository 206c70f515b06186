import { createReadStream } from 'node:fs';
import type { ServerApi } from './server-api.js';

/** The arguments of a call, which the server checks. */
export type ToolArgs = Record<string, unknown>;

/** A tool of the Model Context Protocol: a route of the test API, or a few. */
export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, by name. */
  args: Record<string, object>;
  required?: readonly string[];
  /** Whether it changes nothing. */
  reads?: true;
  /** The route that takes the arguments, without `/__qa`. Absent: a call takes several. */
  route?: readonly [method: string, path: string];
  call: (api: ServerApi, args: ToolArgs) => Promise<unknown>;
}

const text = (description: string): object => ({ type: 'string', description });
const number = (description: string): object => ({ type: 'integer', description });
const object = (description: string): object => ({ type: 'object', description });
const flag = (description: string): object => ({ type: 'boolean', description });

/** How many entries of the journal are listed unless a call says how many: each is read by a model. */
const FEW = 20;

const FILTERS = {
  method: text('Only requests with this method.'),
  path: text('Only requests to this path, or route below the REST root. `*` matches within a segment, `**` across segments.'),
  status: text('Only responses with this status or class of statuses: `404`, `5xx`.'),
  since: text('Only entries after the entry with this ID, or since this time (ISO 8601, real time).'),
};

const MATCH = object('Which requests: `method`, `path` (with `*` and `**`), `query`, `headers`, `body`. Empty: all.');

const queryOf = (args: ToolArgs): string => {
  const query = new URLSearchParams(Object.entries(args).map(([name, value]): [string, string] => [name, String(value)]));
  return query.size === 0 ? '' : `?${query}`;
};

/** Sends arguments to a route: in its path, and in the query of GET or the body of other methods. */
function send(api: ServerApi, [method, path]: readonly [string, string], args: ToolArgs): Promise<unknown> {
  const { ...rest } = args;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  return method === 'GET'
    ? api.json(method, `/__qa${filled}${queryOf(rest)}`)
    : api.json(method, `/__qa${filled}`, undefined, method === 'DELETE' ? undefined : rest);
}

/** A tool that is a route. @param defaults arguments that a call may override */
const routeTool = (tool: Omit<Tool, 'call'> & { route: NonNullable<Tool['route']> }, defaults: ToolArgs = {}): Tool => ({
  ...tool,
  call: (api, args) => send(api, tool.route, { ...defaults, ...args }),
});

interface Logged {
  method: string;
  url: string;
  status: number;
  response?: { body?: { code?: string; message?: string } | string | null };
}

/** Requests by method and URL, with the number of times that they were made. */
function counted(entries: readonly Logged[]): object[] {
  const found = new Map<string, { request: string; status: number; times: number; message: string }>();
  for (const { method, url, status, response } of entries) {
    const request = `${method} ${url}`;
    const body = response?.body;
    const message = body !== null && typeof body === 'object' ? `${body.code}: ${body.message}` : 'no page';
    found.set(request, { request, status, times: (found.get(request)?.times ?? 0) + 1, message });
  }
  return [...found.values()];
}

/** Requests that no route, item or page was found for, or that only real WordPress implements. */
async function unhandled(api: ServerApi, args: ToolArgs): Promise<unknown> {
  const statuses = await Promise.all(
    ['404', '501'].map((status) => send(api, ['GET', '/journal'], { ...args, status, limit: 200 }) as Promise<{ entries: Logged[] }>),
  );
  return { requests: counted(statuses.flatMap(({ entries }) => entries)) };
}

/** Replaces the content with a file of this machine, or with an object. */
function seed(api: ServerApi, { file, dataset, ...options }: ToolArgs): Promise<unknown> {
  const route = `/__qa/seed${queryOf(options)}`;
  if (typeof file === 'string') return api.json('POST', route, undefined, createReadStream(file));
  return api.json('POST', route, undefined, dataset ?? {});
}

export const TOOLS: readonly Tool[] = [
  routeTool({
    name: 'state',
    description: 'Get the state of the server: dataset, counts, clock, profile, releases, faults, stubs, snapshots, sandboxes.',
    args: {},
    reads: true,
    route: ['GET', '/state'],
  }),
  routeTool({
    name: 'rest',
    description:
      'Send a request to the REST API as an administrator, such as GET /tribe/events/v1/events?per_page=5. It is not in the journal, and faults do not apply to it.',
    args: {
      method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], description: 'Method. Default: GET.' },
      path: text('Path below the REST root, with its query.'),
      body: object('Fields of the body.'),
    },
    required: ['path'],
    route: ['POST', '/rest'],
  }),
  {
    name: 'seed',
    description: 'Replace all content with a dataset, which a reset restores from then on, or add one. The format is in docs/datasets.md.',
    args: {
      dataset: object('The dataset: `events`, `venues`, `organizers`, `categories`, `tags`, `users`, `site`.'),
      file: text('Instead: a dataset file on this machine, such as calendar.json, without images.'),
      mode: { type: 'string', enum: ['replace', 'add'], description: 'Whether to replace the content. Default: replace.' },
      keep: flag('Whether the clock and the time zone stay if the dataset has none.'),
      now: text('Time of the clock, from which relative dates count.'),
    },
    route: ['POST', '/seed'],
    call: seed,
  },
  routeTool({
    name: 'reset',
    description: 'Reset content, users, files and clock to the dataset. Faults and the journal are not changed.',
    args: {},
    route: ['POST', '/reset'],
  }),
  routeTool({
    name: 'clock',
    description: 'Set, advance, freeze or unfreeze the clock of the site.',
    args: {
      now: text('Time (ISO 8601), such as 2026-12-24T18:00:00Z.'),
      advance: text('Duration (ISO 8601) to advance by, such as PT2H or P1D.'),
      frozen: flag('Whether the clock stands still.'),
    },
    route: ['PUT', '/clock'],
  }),
  routeTool({
    name: 'add_fault',
    description: 'Make requests fail or wait: the effect has `status`, `delay` (ms), `drop` and others of docs/faults.md.',
    args: {
      match: MATCH,
      effect: object('What happens: `{ "status": 503 }`, `{ "delay": 3000 }`.'),
      times: number('How many requests it affects. Default: all.'),
      skip: number('How many requests pass first.'),
    },
    required: ['effect'],
    route: ['POST', '/faults'],
  }),
  routeTool({
    name: 'scenarios',
    description: 'List the scenarios of faults.',
    args: {},
    reads: true,
    route: ['GET', '/faults/scenarios'],
  }),
  routeTool({
    name: 'start_scenario',
    description: 'Start a scenario: faults that belong together.',
    args: { name: text('Name of the scenario.') },
    required: ['name'],
    route: ['POST', '/faults/scenarios/{name}/start'],
  }),
  routeTool({ name: 'clear_faults', description: 'Remove all faults, and stop all scenarios.', args: {}, route: ['DELETE', '/faults'] }),
  routeTool(
    {
      name: 'journal',
      description: `List the requests that the server received, oldest first, with their statuses. Default: the latest ${FEW}, without bodies.`,
      args: {
        ...FILTERS,
        limit: number('Only the latest requests, at most this many.'),
        brief: flag('Whether to leave out headers and bodies.'),
      },
      reads: true,
      route: ['GET', '/journal'],
    },
    { limit: FEW, brief: true },
  ),
  routeTool({
    name: 'journal_entry',
    description: 'Get a request and its response, with headers and bodies.',
    args: { id: number('ID of the entry.') },
    required: ['id'],
    reads: true,
    route: ['GET', '/journal/{id}'],
  }),
  {
    name: 'unhandled',
    description: 'List the requests that found nothing: no route, no item, no page (404), or a route that is not implemented (501).',
    args: { since: FILTERS.since },
    reads: true,
    route: ['GET', '/journal'],
    call: unhandled,
  },
  routeTool({
    name: 'ignored_parameters',
    description: 'List parameters and fields that requests sent and the server ignored, with suggestions: likely typing mistakes.',
    args: { since: FILTERS.since },
    reads: true,
    route: ['GET', '/journal/lint'],
  }),
  routeTool({ name: 'clear_journal', description: 'Clear the journal.', args: {}, route: ['DELETE', '/journal'] }),
];
