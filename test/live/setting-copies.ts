import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Normalizer } from '../../src/transfer/live/check/compare.js';
import type { CheckRequest, Side } from '../../src/transfer/live/check/requests.js';
import { openFile, inputFile } from '../../src/transfer/formats/open.js';
import { SETTINGS } from '../../src/transfer/settings/table.js';
import { SETTINGS_RECORDED_WITH, withSettings } from '../conformance/settings.mjs';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { ADMIN } from './other-plugins.js';
import { differences, editingReads, excerpt, readsOf, sideFor } from './plugin-copies.js';
import { load, pullFrom } from './ticket-copies.js';

const NOW = '2026-06-15T12:00:00Z';

/** Settings of which nobody but an administrator sees anything. */
const ONLY_STORED = ['date_format', 'start_of_week', 'comments', 'pings', 'network'];
/** Settings that nothing shows. */
const NEVER_SHOWN = ['image_sizes', 'theme', 'events_in_blog'];

const NAMES = [...SETTINGS.keys()];

const inTable = (one: string, other: string): number => NAMES.indexOf(one) - NAMES.indexOf(other);

/** The recorded site under a setting, without what no copy can have: values that nothing shows as they are stored. */
function siteUnder(setting: string): object {
  const { events, ...world } = withSettings(setting) as { events: { id: number; meta: Record<string, string[]> }[] };
  const copied = events.map(({ meta, ...event }) => ({
    ...event,
    meta: {
      ...meta,
      ...(meta['_EventAllDay'] === undefined ? {} : { _EventAllDay: ['yes'] }),
      ...(event.id === 34 ? { _EventCost: ['15'] } : {}),
    },
  }));
  // Events with the same address as another one.
  return { ...world, events: copied.filter(({ id }) => id !== 83 && id !== 84) };
}

/** Addresses that readers ask for, on any site and on this one. */
async function addressesOf({ live, client }: Side): Promise<string[]> {
  const linksIn = async (route: string): Promise<string[]> => {
    const { json } = await client.fetch(`${live.root.replace(/\/$/, '')}/wp/v2/${route}`);
    return Array.isArray(json) ? (json as { link: string }[]).slice(0, 2).map(({ link }) => link.slice(live.home.length)) : [];
  };
  const lists = 'posts pages categories tags users media tribe_events tribe_venue tribe_organizer tribe_events_cat'.split(' ');
  const links = (await Promise.all(lists.map(linksIn))).flat();
  const below = (link: string, folder: string, query: string): string =>
    link.includes('?') ? `${link}&${query}` : folder === '' ? `${link}?${query}` : `${link.replace(/\/$/, '')}/${folder}`;
  return [
    ...'/ /feed/ /comments/feed/ /events/ /events/feed/ /events/?ical=1 /events/month/ /events/2026-06-20/ /termine/list/'.split(' '),
    ...'/hello-world/ /robots.txt /wp-sitemap.xml /wp-login.php /?p=1 /?page_id=2'.split(' '),
    ...links.flatMap((link) => [link, below(link, 'feed/', 'feed=rss2'), below(link, '', 'ical=1')]),
  ];
}

/** A response to a reader: status, headers, and the body of files. Pages have their title and the elements of their head. */
async function shown(side: Side, address: string): Promise<string> {
  const { status, headers, text } = await http('GET', `${side.live.home}${address}`, {});
  const isPage = /html/.test(headers.get('content-type') ?? '');
  const body = isPage ? [...text.matchAll(/<title>.*?<\/title>|<meta [^>]*>|<link [^>]*>/gs)].map(([found]) => found).join('\n') : text;
  const named = ['location', 'link', 'x-tec-api-root', 'content-disposition', 'content-type'].map((name) => headers.get(name) ?? '');
  return new Normalizer(side.live).text([status, ...named, body].join('\n'));
}

async function differing(requests: readonly CheckRequest[], addresses: readonly string[], one: Side, other: Side): Promise<string[]> {
  const found = await differences(requests, one, other);
  for (const address of addresses) {
    const [expected, actual] = [await shown(one, address), await shown(other, address)];
    if (expected !== actual) found.push({ request: address, expected, actual });
  }
  return found.map(excerpt);
}

/**
 * Copies the recorded site under settings, as a visitor and as an administrator, and compares the copies with it.
 * @param most how many single items of each kind are compared
 * @param isShort leaves the administrator out
 */
export function testSettingCopies(names: readonly string[], most: number, isShort = false): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-settings-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const options = [{ now: NOW, wordpress: SETTINGS_RECORDED_WITH }, { isInMemory: true }] as const;
  const source = startTestServer(...options);
  const target = startTestServer(...options);

  describe.each(names)('a copy of a site with the setting %s', (name) => {
    /** @param unseen settings that the summary of the copy names */
    const copy = async (credentials: typeof ADMIN | undefined, unseen: readonly string[]): Promise<void> => {
      const pulled = await pullFrom(source(), {}, credentials);
      const administrator = await load(target(), pulled.source);
      await pulled.deleteProgress();
      const [one, other] = [await sideFor(source()), await sideFor(target())];
      expect(await differing(await readsOf(one, most), await addressesOf(one), one, other)).toEqual([]);
      const named = pulled.notes().flatMap((note) => /settings, which .*?: (.*?)\. /.exec(note)?.[1]?.split(', ') ?? []);
      expect(named).toEqual(expect.arrayContaining([...unseen]));
      expect(named.filter((each) => !/^(?:events_slug|event_slug|month_format|default_view|views)$/.test(each))).toEqual(
        unseen.toSorted(inTable),
      );
      if (!credentials) return;
      const [first, second] = [await sideFor(source(), credentials), await sideFor(target(), administrator)];
      expect(await differing(await editingReads(first), [], first, second)).toEqual([]);
    };

    beforeAll(async () => {
      const file = path.join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(siteUnder(name)));
      await load(source(), await openFile(inputFile(file), { now: null }));
    }, 60_000);

    test('made by a visitor', () => copy(undefined, [...ONLY_STORED, ...NEVER_SHOWN]), 120_000);
    if (isShort) return;
    test('made by an administrator', () => copy(ADMIN, NEVER_SHOWN), 120_000);
  });
}
