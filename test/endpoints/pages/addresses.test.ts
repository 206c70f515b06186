import { SETTINGS_RECORDED_WITH, withOptions } from '../../conformance/settings.mjs';
import { startTestServer } from '../../support/server.js';

/** Addresses that settings move, beside the recorded ones (`replay-settings`). */
interface Seen {
  status: number;
  location?: string;
  title?: string;
}

const titleOf = (text: string): string | undefined => /<title>([^<]*)<\/title>/.exec(text)?.[1];

describe.each<[name: string, options: Record<string, string>, rows: [path: string, seen: Seen][]]>([
  [
    'the front page is a form of calendar, and a page lists the posts',
    { show_on_front: 'page', page_on_front: '0', page_for_posts: '2' },
    [
      ['/sample-page/', { status: 200, title: 'Sample Page – Town Calendar' }],
      ['/sample-page', { status: 301, location: '/sample-page/' }],
    ],
  ],
  [
    'permalinks have the id',
    { permalink_structure: '/archives/%post_id%/' },
    [
      ['/archives/1/', { status: 200, title: 'Hello world! – Town Calendar' }],
      ['/archives/1', { status: 301, location: '/archives/1/' }],
      ['/hello-world/', { status: 301, location: '/archives/1/' }],
      ['/archives/2/', { status: 404 }],
      ['/archives/author/admin/', { status: 200 }],
      ['/author/admin/', { status: 404 }],
    ],
  ],
  [
    'permalinks have the day',
    { permalink_structure: '/blog/%year%/%monthnum%/%day%/%postname%/', tag_base: '/labels' },
    [
      ['/labels/live/', { status: 200 }],
      ['/tag/live/', { status: 404 }],
      ['/?p=1', { status: 301, location: '/blog/2026/06/15/hello-world/' }],
      ['/sample-page/', { status: 200, title: 'Sample Page – Town Calendar' }],
      ['/event/long-conference/', { status: 200, title: 'Long Conference – Town Calendar' }],
    ],
  ],
  [
    'the site has no paths',
    { permalink_structure: '' },
    [
      ['/?page_id=2', { status: 200, title: 'Sample Page – Town Calendar' }],
      ['/?tribe_events=long-conference', { status: 200, title: 'Long Conference – Town Calendar' }],
      ['/?cat=1', { status: 200 }],
      ['/anything/', { status: 200, title: 'Town Calendar – Events around town' }],
      ['/?feed=rss2', { status: 200 }],
    ],
  ],
  [
    'the site is in German',
    { WPLANG: 'de_DE' },
    [
      ['/veranstaltungsort/riverside-hall/', { status: 200, title: 'Town Calendar – Events around town' }],
      ['/venue/riverside-hall/', { status: 404 }],
      ['/events/monat/', { status: 200, title: 'Veranstaltungen für Juni 2026 – Town Calendar' }],
      ['/events/month/', { status: 200, title: 'Veranstaltungen für Juni 2026 – Town Calendar' }],
      ['/events/liste/seite/2/', { status: 200, title: 'Veranstaltungen von Juni 24 – Juli 8 – Seite 2 – Town Calendar' }],
      ['/events/heute/', { status: 200 }],
      ['/events/kategorie/music/', { status: 200 }],
      ['/events/category/music/liste/', { status: 200 }],
      ['/events/kategorie/music/feed/', { status: 200 }],
      ['/events/kategorie/music/ical/', { status: 200 }],
      ['/events/mois/', { status: 404 }],
    ],
  ],
])('%s', (_name, options, rows) => {
  const server = startTestServer({ dataset: withOptions(options), wordpress: SETTINGS_RECORDED_WITH });

  test.each(rows)('%s', async (path, seen) => {
    const response = await fetch(`${server().url}${path}`, { redirect: 'manual' });
    const location = response.headers.get('location')?.replace(server().url, '');
    const title = titleOf(await response.text());
    expect({ status: response.status, location, title }).toEqual({
      status: seen.status,
      location: seen.location,
      title: seen.title ?? title,
    });
  });
});
