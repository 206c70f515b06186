import { isDeepStrictEqual } from 'node:util';
import { VERSION_QUIRKS } from '../../../plugins/the-events-calendar/quirks/index.js';
import { LATEST_VERSION, spansOf, type VersionSpan } from '../../../plugins/the-events-calendar/quirks/version.js';
import { LINKED, LINKED_KINDS } from '../../../plugins/the-events-calendar/model/event.js';
import { readLists, sideOf, routeUrlOf, type Side } from '../check/requests.js';
import { withoutSlash, type LiveClientOptions, type SiteResponse } from '../client/client.js';
import { probesFor, type Probe } from './probes.js';
import { copiedWordPress, type CopiedRelease } from './copied.js';
import { statedVersion, statedWordPress } from './stated.js';

interface DetectOptions {
  url: string;
  client: LiveClientOptions;
  /** A server with a copy of the site. */
  against: {
    url: string;
    /** An administrator, if the site is asked with a login. */
    credentials?: LiveClientOptions['credentials'];
    /** Makes the server behave like a release. */
    setVersion: (version: string) => void;
  };
  progress: (what: string, done: number, total?: number) => void;
}

/** Releases with the same behavior, and how well they match the site. */
interface SpanResult extends VersionSpan {
  /** The differences of the site. */
  differs: string[];
}

interface DetectReport {
  url: string;
  /** The release that the site states in its calendar files. */
  stated: string | null;
  /** The release of WordPress that the site runs. */
  wordpress: CopiedRelease;
  probes: number;
  /** The releases with the fewest differences. */
  best: SpanResult;
  /** All others, those with the fewest differences first. */
  others: SpanResult[];
}

function ask(side: Side, { route, page, method }: Probe): Promise<SiteResponse> {
  const { client, live } = side;
  const url =
    route === undefined ? `${withoutSlash(live.home)}/${page ?? ''}` : routeUrlOf(side, route.replace('{calendar}', live.namespace));
  return client.fetch(url, { method });
}

/** Joins neighboring spans that differ in the same way. */
function joined(results: readonly SpanResult[]): SpanResult[] {
  const all: SpanResult[] = [];
  for (const result of results) {
    const last = all.at(-1);
    if (last && isDeepStrictEqual(last.differs, result.differs)) last.until = result.until;
    else all.push({ ...result });
  }
  return all;
}

/**
 * Finds the releases of The Events Calendar that a site responds like: those under which a server with the same content shows the fewest
 * differences. Sends read-only requests.
 * @throws DatasetError if the site cannot be reached or has no calendar
 */
export async function detectVersion({ url, client, against, progress }: DetectOptions): Promise<DetectReport> {
  const site = await sideOf(url, client);
  const { credentials: _, ...anonymous } = client;
  const server = await sideOf(against.url, { ...anonymous, ...(against.credentials && { credentials: against.credentials }), rate: 0 });
  const found = await readLists(site, progress);
  const linked = LINKED_KINDS.flatMap((kind) => found[LINKED[kind].column]);
  const probes = [...probesFor({ events: found.events, linked, terms: [...found.categories, ...found.tags] })];
  const seen: unknown[] = [];
  for (const probe of probes) {
    seen.push(probe.see(await ask(site, probe)));
    progress('Asking the site', seen.length, probes.length);
  }
  const results: SpanResult[] = [];
  const spans = spansOf(Object.values(VERSION_QUIRKS));
  for (const span of spans) {
    against.setVersion(span.since);
    const responses = await Promise.all(probes.map((probe) => ask(server, probe)));
    const differs = probes.filter((probe, index) => !isDeepStrictEqual(probe.see(responses[index]), seen[index])).map(({ about }) => about);
    results.push({ ...span, differs });
    progress('Comparing releases', results.length, spans.length);
  }
  const wordpress = copiedWordPress({ stated: await statedWordPress(site.client, site.live), routes: site.live.routes });
  // The newest of several is the most likely.
  const [best, ...others] = joined(results)
    .toReversed()
    .toSorted((a, b) => a.differs.length - b.differs.length);
  return { url, stated: await statedVersion(site.client, site.live), wordpress, probes: probes.length, best, others };
}

function named({ since, until }: VersionSpan): string {
  if (until !== null) return `${since} or later, before ${until}`;
  return since === LATEST_VERSION ? since : `${since} or later`;
}

/** The report for people. */
export function detectLines({ url, stated, wordpress, probes, best, others }: DetectReport): string[] {
  const fits = ({ differs }: SpanResult): string => `${probes - differs.length} of ${probes} responses`;
  return [
    `${url} behaves like The Events Calendar ${named(best)} (${fits(best)}).`,
    ...(best.differs.length > 0 ? [`  What it does otherwise: ${best.differs.join('; ')}.`] : []),
    ...(stated === null ? [] : [`Its calendar files state release ${stated}.`]),
    wordpress.note,
    '',
    'Other releases:',
    ...others.map((each) => `  ${named(each)}: ${fits(each)}; differs in ${each.differs.join('; ')}`),
  ];
}
