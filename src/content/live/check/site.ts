import { Normaliser, compareAnswers, type Difference } from './compare.js';
import { contractProblems } from './contract.js';
import { ALL_TIME, PAGE, checkRequests, type CheckGroup, type CheckRequest } from './requests.js';
import { LISTS, type Found } from './samples.js';
import { eachLinked } from '../../../tec/linked.js';
import { DatasetError } from '../../problems.js';
import { type ClientOptions, SiteClient } from '../client/client.js';
import { findSite, type LiveSite } from '../client/find.js';
import { answerProblem, type Answer } from '../client/problems.js';

export { GROUPS, type CheckGroup } from './requests.js';

export interface CheckOptions {
  url: string;
  /** The server that is held against it; null: the site alone is held against the published interface. */
  against: string | null;
  /** Kinds of requests; empty: all. */
  only: readonly CheckGroup[];
  /** Single items of each kind at most; 0: all. */
  limit: number;
  client: ClientOptions;
  notify: (line: string) => void;
  progress: (what: string, done: number, total?: number) => void;
}

/** A request whose answers are not as they should be. */
export interface CheckFinding {
  request: string;
  group: CheckGroup;
  differences: Difference[];
}

export interface CheckReport {
  url: string;
  against: string | null;
  requests: number;
  /** Requests whose answers are as they should be. */
  same: number;
  /** Requests that were left out because the clocks of the two differ. */
  skipped: number;
  findings: CheckFinding[];
}

/** Requests that are under way together. */
const AT_ONCE = 4;

interface Side {
  client: SiteClient;
  live: LiveSite;
}

async function sideOf(url: string, options: ClientOptions): Promise<Side> {
  const client = new SiteClient(options, url);
  return { client, live: await findSite(client, url) };
}

const addressOf = ({ live }: Side, route: string): string => {
  const [path, query] = route.split('?');
  const base = `${live.root.replace(/\/+$/, '')}/${live.namespace}/${path}`;
  if (query === undefined) return base;
  return `${base}${base.includes('?') ? '&' : '?'}${query}`;
};

const ask = (side: Side, { route, method }: Pick<CheckRequest, 'route' | 'method'>): Promise<Answer> =>
  side.client.fetch(addressOf(side, route), method);

/** What a site has, from its lists; requests are made from it. */
async function look(side: Side, progress: CheckOptions['progress']): Promise<Found> {
  const found: Found = {
    ...eachLinked(() => []),
    events: [],
    categories: [],
    tags: [],
    totals: { ...eachLinked(() => 0), events: 0, categories: 0, tags: 0 },
  };
  for (const list of LISTS) {
    const more = list === 'events' ? ALL_TIME : list === 'categories' || list === 'tags' ? 'hide_empty=0' : '';
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const route = `${list}?${more}${more === '' ? '' : '&'}per_page=${PAGE}&page=${page}`;
      const answer = await ask(side, { route, method: 'GET' });
      if (answer.status !== 200) throw new DatasetError(addressOf(side, route), [answerProblem(answer)]);
      const body = answer.json as Record<string, unknown>;
      pages = Number(body['total_pages'] ?? 0);
      found.totals[list] = Number(body['total'] ?? 0);
      (found[list] as unknown[]).push(...((body[list] as unknown[] | undefined) ?? []));
      progress(`Looking at ${list}`, found[list].length, found.totals[list]);
    }
  }
  return found;
}

/** The window of the default list: where it differs, the two have different clocks or settings. */
async function defaultWindow(side: Side): Promise<string> {
  const { json } = await ask(side, { route: 'events', method: 'GET' });
  const url = (json as { rest_url?: string } | undefined)?.rest_url ?? '';
  return /start_date=([^&]*)/.exec(url)?.[1].slice(0, 10) ?? '';
}

/** Runs work for all of a list, some at a time, in its order. */
async function forAll<T>(list: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < list.length) {
      const index = next++;
      await work(list[index], index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const isAskedFor = (only: readonly CheckGroup[], { group }: CheckRequest): boolean => only.length === 0 || only.includes(group);

/**
 * Sends the same read requests to a site and to a server, and compares their answers; or, without a server to compare with, holds the
 * answers of the site against the published interface. Nothing is ever written.
 * @throws DatasetError when one of them cannot be reached or has no calendar
 */
export async function checkSite(options: CheckOptions): Promise<CheckReport> {
  const { url, against, only, limit, client, progress } = options;
  const site = await sideOf(url, client);
  // The server at hand is ours: it needs no sparing, and no login of the site.
  const { credentials: _, ...anonymous } = client;
  const other = against === null ? null : await sideOf(against, { ...anonymous, rate: 0 });
  const found = await look(site, progress);
  const all = [...checkRequests(found, limit)].filter((request) => isAskedFor(only, request));
  const sameClock = other === null || (await defaultWindow(site)) === (await defaultWindow(other));
  const requests = sameClock ? all : all.filter(({ clock }) => !clock);
  if (requests.length < all.length)
    options.notify(`The clocks of the two differ: ${all.length - requests.length} requests whose answers follow the clock are left out.`);
  const findings = new Map<number, CheckFinding>();
  const normalisers = other && { expected: new Normaliser(site.live), actual: new Normaliser(other.live) };
  let done = 0;
  await forAll(requests, async (request, index) => {
    const [expected, actual] = await Promise.all([ask(site, request), other && ask(other, request)]);
    const differences = actual && normalisers ? compareAnswers(expected, actual, normalisers) : contractProblems(request, expected);
    if (differences.length > 0) findings.set(index, { request: `${request.method} ${request.route}`, group: request.group, differences });
    done += 1;
    progress('Checking', done, requests.length);
  });
  return {
    url,
    against,
    requests: requests.length,
    same: requests.length - findings.size,
    skipped: all.length - requests.length,
    findings: [...findings].sort(([a], [b]) => a - b).map(([, finding]) => finding),
  };
}

const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
};

/** A report in lines for people, with so many differences of each request at most. */
export function reportLines({ findings, requests, same, skipped, against }: CheckReport, most = 5): string[] {
  const lines = findings.flatMap(({ request, differences }) => [
    request,
    ...differences
      .slice(0, most)
      .map(
        ({ at, expected, actual }) =>
          `  ${at === '' ? 'the body' : at}: ${against === null ? 'due is' : 'there'} ${shown(expected)}, ${against === null ? 'got' : 'here'} ${shown(actual)}`,
      ),
    ...(differences.length > most ? [`  … and ${differences.length - most} more`] : []),
  ]);
  const left = skipped === 0 ? '' : `, ${skipped} left out`;
  const verdict = against === null ? 'as the interface promises' : 'the same';
  return [...lines, `${same} of ${requests} answers ${same === 1 ? 'is' : 'are'} ${verdict}${left}.`];
}
