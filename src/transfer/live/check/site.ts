import { Normalizer, compareResponses, type Difference } from './compare.js';
import { contractProblems } from './contract.js';
import { coreRequests, knownPosts, readCore } from './core.js';
import { checkRequests, type CheckRequest, ask, readLists, sideOf, type Side } from './requests.js';
import { nameOf, routeCounts, type CheckFinding, type CheckReport } from './report.js';
import { orderOf, type ListOrder } from './ties.js';
import type { LiveClientOptions } from '../client/client.js';
import { CONTENTS } from '../../../plugins/register.js';
import { contentsOn, isOn } from '../plugins.js';
import { isUsual, readSettings } from '../settings/index.js';

export { reportLines, type CheckReport } from './report.js';

export interface CheckOptions {
  url: string;
  /** URL of the server to compare with; null: validate the site against the published API. */
  against: string | null;
  /** Time zone data of that server; null: unknown. */
  zones?: string | null;
  /** Groups of requests to send; empty: all. */
  only: readonly string[];
  /** Maximum number of single items of each kind; 0: all. */
  limit: number;
  /** Whether the server has a copy of the site, without its files. */
  isCopy?: boolean;
  /** Whether the wording of descriptions in documents, schemas and indexes is compared. */
  words?: boolean | undefined;
  client: LiveClientOptions;
  /** An administrator of the server, for what only users who manage attendees see. */
  administrator?: { login: string; password: string } | null | undefined;
  notify: (line: string) => void;
  progress: (what: string, done: number, total?: number) => void;
}

/** Maximum number of concurrent requests. */
const CONCURRENCY = 4;

/** The start date of the default list. If it differs, the sites have different clocks or settings. */
async function defaultWindow(side: Side): Promise<string> {
  const { json } = await ask(side, { route: 'events', method: 'GET' });
  const url = (json as { rest_url?: string } | undefined)?.rest_url ?? '';
  return /start_date=([^&]*)/.exec(url)?.[1].slice(0, 10) ?? '';
}

/** Runs work for all items of a list, with limited concurrency. */
async function forAll<T>(list: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < list.length) {
      const index = next++;
      await work(list[index], index);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The differences without those of items that both sides have, and only show on different pages. */
async function withoutMoved(
  differences: readonly Difference[],
  { namespace }: CheckRequest,
  order: ListOrder | null,
  sides: readonly Side[],
): Promise<Difference[]> {
  const isOnBoth = async (id: unknown): Promise<boolean> => {
    const route = order?.routeOf(Number(id));
    if (route === undefined || id === undefined) return false;
    const asked = { route, method: 'GET', ...(namespace !== undefined && { namespace }) } as const;
    const [one, two] = await Promise.all(sides.map((side) => ask(side, asked)));
    // WordPress: items that may not be read exist too.
    return one.status === two.status && [200, 401, 403].includes(one.status);
  };
  const kept: Difference[] = [];
  for (const { moved, ...difference } of differences)
    if (!moved || !(await isOnBoth(difference.expected)) || !(await isOnBoth(difference.actual))) kept.push(difference);
  return kept;
}

/** Facts that copies cannot have. */
const UNSEEN: readonly [what: string, isUnseen: (request: CheckRequest, difference: Difference) => boolean][] = [
  [
    'the parents of events, which no response shows: by slug, such events are found in the copy only',
    ({ route }, { at, expected, actual }) => route.includes('by-slug/') && at === 'status' && Number(expected) >= 400 && actual === 200,
  ],
  ['the sizes of files, which are not copied', (_, { at, actual }) => at.endsWith('/filesize') && actual === null],
];

const isWanted = (only: readonly string[], group: string): boolean => only.length === 0 || only.includes(group);
const isAskedFor = (only: readonly string[], { group }: CheckRequest): boolean => isWanted(only, group);

/** Findings in the index if only one of the sides has a plugin. */
const pluginFindings = ({ live: site }: Side, { live: server }: Side, only: readonly string[]): CheckFinding[] =>
  CONTENTS.filter((content) => isWanted(only, content.name) && isOn(site, content) !== isOn(server, content)).map((content) => {
    const { name, namespace, plugin } = content;
    const [expected, actual] = [site, server].map((live) => (isOn(live, content) ? namespace : undefined));
    const request = `GET / (only the ${isOn(site, content) ? 'site' : 'server'} has ${plugin.title})`;
    return { request, group: name, differences: [{ at: '/namespaces', expected, actual }] };
  });

/** A finding if the sites show different settings. */
async function settingFindings(sides: readonly Side[]): Promise<CheckFinding[]> {
  const [site, server] = await Promise.all(sides.map(({ client, live }) => readSettings(client, live)));
  const differences = Object.entries(site.settings).flatMap(([name, expected]): Difference[] => {
    const actual = server.settings[name];
    const isSame = JSON.stringify(expected) === JSON.stringify(actual) || (isUsual(name, expected) && isUsual(name, actual));
    return actual === undefined || isSame ? [] : [{ at: `/${name}`, expected, actual }];
  });
  return differences.length === 0 ? [] : [{ request: 'settings', group: 'settings', differences }];
}

/**
 * Sends the same read-only requests to a site and to a server and compares the responses. Without a server, validates the responses against
 * the published API.
 * @throws DatasetError if one of them cannot be reached or has no calendar
 */
export async function checkSite(options: CheckOptions): Promise<CheckReport> {
  const { url, against, only, limit, client, progress } = options;
  const site = await sideOf(url, client);
  // The other server is the user's own: it needs no rate limit, and must not get the login of the site.
  const { credentials: _, ...anonymous } = client;
  let other = against === null ? null : await sideOf(against, { ...anonymous, rate: 0 });
  const found = await readLists(site, progress);
  const contents = await contentsOn(site.live);
  const managed = other === null ? [] : contents.flatMap(({ check }) => check?.managed?.(found) ?? []);
  const manages = managed.length > 0;
  if ((manages || client.credentials) && against !== null && options.administrator)
    other = await sideOf(against, { ...anonymous, rate: 0, credentials: options.administrator });
  else if (manages)
    options.notify(`The login manages ${managed.join(' and ')}, and the server gets no login: what only such users see differs.`);
  const ofContents: CheckRequest[] = [];
  for (const content of contents) {
    if (!content.check || !other || !isOn(other.live, content)) continue;
    const checked = await content.check.read(site, found, progress);
    Object.assign(found.eventSamples, checked.eventSamples);
    ofContents.push(...checked.requests(limit, manages && Boolean(options.administrator)));
  }
  // The calendar's API is the published one, and not every site has the other.
  const hasCore = other !== null && site.live.hasCore;
  const isShown = ({ namespace }: CheckRequest): boolean => namespace !== 'wp/v2' || hasCore;
  const core = hasCore && (isWanted(only, 'core') || isWanted(only, 'options')) ? await readCore(site, found, progress) : null;
  const ofCore = core ? coreRequests(core, limit) : [];
  const posts = core ? knownPosts(core) : new Map<never, never>();
  const all = [...checkRequests(found, limit), ...ofContents, ...ofCore].filter((request) => isAskedFor(only, request) && isShown(request));
  const sameClock = other === null || (await defaultWindow(site)) === (await defaultWindow(other));
  const requests = sameClock ? all : all.filter(({ clock }) => !clock);
  if (requests.length < all.length)
    options.notify(
      `The clocks of the sites differ: ${all.length - requests.length} requests whose responses depend on the clock are skipped.`,
    );
  const findings = new Map<number, CheckFinding>();
  const normalizers = other && { expected: new Normalizer(site.live), actual: new Normalizer(other.live) };
  const unseen = new Set<string>();
  const isSeen = (request: CheckRequest, difference: Difference): boolean => {
    const [what] = (options.isCopy && UNSEEN.find(([, isUnseen]) => isUnseen(request, difference))) || [];
    if (what !== undefined) unseen.add(what);
    return what === undefined;
  };
  const ofSites = other ? pluginFindings(site, other, only) : [];
  if (other && isWanted(only, 'settings')) ofSites.push(...(await settingFindings([site, other])));
  let done = 0;
  await forAll(requests, async (request, index) => {
    const [expected, actual] = await Promise.all([ask(site, request), other && ask(other, request)]);
    const order = orderOf(request, posts);
    const differences =
      actual && normalizers && other
        ? await withoutMoved(compareResponses(expected, actual, normalizers, order, options.words), request, order, [site, other])
        : contractProblems(request, expected);
    const seen = differences.filter((each) => isSeen(request, each));
    if (seen.length > 0) findings.set(index, { request: nameOf(request), group: request.group, differences: seen });
    done += 1;
    progress('Checking', done, requests.length);
  });
  for (const what of unseen) options.notify(`Not compared: ${what}.`);
  return {
    url,
    against,
    zones: options.zones ?? null,
    requests: requests.length + ofSites.length,
    same: requests.length - findings.size,
    skipped: all.length - requests.length,
    routes: routeCounts(requests, findings),
    findings: [...ofSites, ...[...findings].sort(([a], [b]) => a - b).map(([, finding]) => finding)],
  };
}
