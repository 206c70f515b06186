import { EDGE, edgeApi } from '../support/edge.js';
import { startTestServer } from '../support/server.js';
import { readersOf } from './readers.js';
import type { Event, EventList, OrganizerList } from '../../src/sdk/types/responses.js';

const tec = edgeApi(startTestServer({ dataset: EDGE }));
const { event, slugs, venue, refusal } = readersOf(tec);

describe('costs', () => {
  test.each<[slug: string, cost: string, symbol: string, code: string, position: string, values: string[]]>([
    ['none', '', '', '', '', []],
    ['empty', '', '', '', '', []],
    ['zero', 'Free', '', '', '', ['0']],
    ['zero-amount', 'Free', '£', '', 'prefix', ['0.00']],
    ['free', 'Free', '', '', '', ['free']],
    ['donation', 'Donation', '', '', '', ['donation']],
    ['number', '$12', '', '', '', ['12']],
    ['fraction', '$7.5', '', '', '', ['7.5']],
    ['two-decimals', '$10.50', '', '', '', ['10.50']],
    ['decimal-comma', '$1,5', '', '', '', ['1.5']],
    ['thousands-comma', '$1,000', '', '', '', ['1000']],
    ['thousands-dot', '$1.000', '', '', '', ['1.000']],
    ['thousands-and-decimals', '$.50', '', '', '', ['.50', '1000']],
    ['list', '$5 – $15', '', '', '', ['5', '15']],
    ['range', '$5 – $15', '', '', '', ['5', '15']],
    ['falling-range', '$10 – $20', '', '', '', ['10', '20']],
    ['from-zero', 'Free – $10', '', '', '', ['0', '10']],
    ['free-or-price', '$10', '', '', '', ['free', '10']],
    ['words', 'Free', '', '', '', ['free', 'donation']],
    ['symbol-first', '€12', '€', '', 'prefix', ['12']],
    ['symbol-last', '12₹', '₹', '', 'postfix', ['12']],
    ['named-currency', '250kr', 'kr', 'SEK', 'postfix', ['250']],
    ['symbol-of-letters', 'CHF 10 – CHF 20', 'CHF ', 'CHF', 'prefix', ['10', '20']],
    ['symbol-with-markup', '&lt;&amp;&gt;5', '<&>', '', 'prefix', ['5']],
    ['markup-in-words', 'A &amp; B', '', '', '', ['a-b']],
    ['equal-amounts', '$10', '', '', '', ['10']],
    ['fractions-of-the-yen', '¥.5 – ¥1.25', '¥', 'JPY', 'prefix', ['.5', '1.25']],
  ])('%s: %s', async (slug, cost, symbol, code, position, values) => {
    expect(await event(`cost-${slug}`)).toMatchObject({
      cost,
      cost_details: { currency_symbol: symbol, currency_code: code, currency_position: position, values },
    });
  });

  test.each<[slug: string, offer: object | undefined]>([
    ['none', undefined],
    ['free', { price: '0', priceCurrency: 'CAD' }],
    ['from-zero', { price: 'Free – 10', priceCurrency: 'CAD' }],
    ['donation', { price: 'Donation', priceCurrency: 'CAD' }],
    ['named-currency', { price: '250', priceCurrency: 'SEK' }],
    ['thousands-comma', { price: '1,000', priceCurrency: 'CAD' }],
  ])('the offer of %s', async (slug, offer) => {
    const { json_ld } = await event(`cost-${slug}`);
    if (offer) expect(json_ld?.offers).toMatchObject(offer);
    else expect(json_ld).not.toHaveProperty('offers');
  });
});

describe('texts', () => {
  test.each<[slug: string, title: string, jsonLdName: string]>([
    [
      'typographic-title',
      '&#8220;Rock&#8217;n&#8217;Roll&#8221; &#8212; it&#8217;s the &#8217;60s&#8230; 2&#215;4 &#038; more',
      '&#8220;Rock&#8217;n&#8217;Roll&#8221; &#8212; it&#8217;s the &#8217;60s&#8230; 2&#215;4 &#038; more',
    ],
    [
      'title-with-markup',
      '<em>Loud</em> &#038; <b>bold</b> <script>alert(1)</script>',
      '&lt;em&gt;Loud&lt;/em&gt; &#038; &lt;b&gt;bold&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt;',
    ],
    ['title-with-entities', 'Tom &amp; Jerry &lt;live&gt; &#8211; 5 < 6', 'Tom &amp; Jerry &lt;live&gt; &#8211; 5 &lt; 6'],
  ])('%s', async (slug, title, jsonLdName) => {
    const shown = await event(slug);
    expect(shown.title).toBe(title);
    expect(shown.json_ld?.name).toBe(jsonLdName);
  });

  test.each<[slug: string, description: string]>([
    [
      'blocks',
      '<h3 class="wp-block-heading">Programme</h3>\n\n\n\n<p class="wp-block-paragraph">Doors &#8220;open&#8221; at 7</p>\n\n\n\n<ul class="wp-block-list"><li>One</li></ul>',
    ],
    ['shortcodes', '<p>[unknown a=&#8221;b&#8221;]text[/unknown]</p>\n<p>[gallery] and [not closed</p>'],
    ['paragraphs', '<p>First line<br />\nsecond line</p>\n<p>Second paragraph</p>\n<div>A block</div>\n<pre>"kept"  as is</pre>'],
    // Authors of datasets are trusted like administrators.
    [
      'hostile-description',
      '<p><script>alert(\'x\')</script><a href="javascript:alert(1)" onclick="x()">link</a><img src=x onerror=alert(1)></p>',
    ],
    ['only-a-title', ''],
    ['empty-fields', ''],
  ])('the description of %s', async (slug, description) => {
    expect((await event(slug)).description).toBe(description);
  });

  test('the same description from an untrusted user loses dangerous markup', async () => {
    const { body } = await tec.post<Event>(
      'events',
      {
        title: '<em>Loud</em> <script>alert(1)</script>',
        start_date: '2026-10-02 10:00:00',
        end_date: '2026-10-02 11:00:00',
        description: '<script>alert(1)</script><a href="javascript:alert(1)" onclick="x()">link</a>',
      },
      'author',
    );
    expect(body).toMatchObject({ title: '<em>Loud</em> alert(1)', description: '<p>alert(1)<a href="alert(1)">link</a></p>' });
    await tec.reset();
  });

  test('structured data uses the excerpt, or the first 30 words of the description', async () => {
    const description = async (slug: string): Promise<string | undefined> => (await event(slug)).json_ld?.description;
    expect(await description('paragraphs')).toBe('&lt;p&gt;An &quot;excerpt&quot; -- short&lt;/p&gt;\\n');
    const thirty = Array.from({ length: 30 }, (_, index) => `word${index + 1}`).join(' ');
    expect(await description('many-words')).toBe(`&lt;p&gt;${thirty} [&hellip;]&lt;/p&gt;\\n`);
    expect(await description('only-a-title')).toBe('');
  });

  test('images get loading attributes; a URL on its own line stays text', async () => {
    const { description } = await event('image-and-address');
    expect(description).toMatch(/<img [^>]*decoding="async"[^>]*src="https:\/\/img\.example\.org\/a\.png"/);
    expect(description).toContain('<p>https://example.org/?a=1&#038;b=2</p>');
  });

  test('an event with only a title; an empty website differs from a missing one', async () => {
    const bare = await event('only-a-title');
    expect(bare).toMatchObject({
      excerpt: '',
      image: false,
      cost: '',
      website: bare.url,
      show_map: true,
      show_map_link: true,
      hide_from_listings: false,
      sticky: false,
      featured: false,
      tags: [],
      venue: [],
      organizer: [],
      custom_fields: [],
    });
    for (const key of ['location', 'organizer', 'offers', 'image']) expect(bare.json_ld).not.toHaveProperty(key);
    expect((await event('empty-fields')).website).toBe('');
  });

  test('a venue omits empty fields, including the string "0"', async () => {
    const bare = await venue('only-a-name');
    expect(Object.keys(bare)).toEqual([
      'id',
      'author',
      'status',
      'date',
      'date_utc',
      'modified',
      'modified_utc',
      'url',
      'venue',
      'slug',
      'json_ld',
      'show_map',
      'show_map_link',
      'global_id',
      'global_id_lineage',
    ]);
    const open = await venue('open-hall');
    expect(open).not.toHaveProperty('zip');
    expect(open).toMatchObject({ address: '1 "Quoted" Street & Lane', website: 'https://hall.example.org/?a=1&b=2' });
    expect(open.json_ld?.address).toMatchObject({ streetAddress: '1 &quot;Quoted&quot; Street &amp; Lane', addressLocality: 'Köln' });
  });
});

describe('links', () => {
  test('organizers keep their order, without duplicates', async () => {
    const many = await event('many-organizers');
    expect(many.organizer.map(({ organizer }) => organizer)).toEqual(Array.from({ length: 12 }, (_, index) => `Guild ${12 - index}`));
    expect(many.json_ld?.organizer).toMatchObject({ name: 'Guild 12' });
    expect((await event('one-organizer-twice')).organizer.map(({ slug }) => slug)).toEqual(['guild-01', 'open-guild']);
    expect((await event('no-organizers')).organizer).toEqual([]);
  });

  test('the organizers of an event are listed newest first, and so are the events of organizers', async () => {
    const { id, organizer } = await event('many-organizers');
    const { body } = await tec.get<OrganizerList>(`organizers?event=${id}&per_page=50`);
    expect(body.organizers.map(({ slug }) => slug)).toEqual(
      Array.from({ length: 12 }, (_, index) => `guild-${String(12 - index).padStart(2, '0')}`),
    );
    const [twelve, eleven] = organizer;
    expect(await slugs(`organizer=${twelve.id},${eleven.id}`)).toEqual(['many-organizers']);
    const { total } = (await tec.get<OrganizerList>('organizers?has_events=true&per_page=50')).body;
    expect(total).toBe(14);
  });

  test('post_parent finds only direct children', async () => {
    const { id } = await event('series');
    expect(await slugs(`post_parent=${id}`)).toEqual(['series-part-one', 'series-part-two']);
    const { events } = (await tec.get<EventList>(`events?post_parent=${id}`)).body;
    const second = events[1].id;
    expect(await slugs(`post_parent=${second}`)).toEqual(['series-part-two-encore']);
    expect(await refusal('events?post_parent=0')).toEqual([400, 'rest_invalid_param']);
  });

  test.each<[slug: string, region: string | undefined, shown: string | undefined]>([
    ['united-states', 'CA', 'CA'],
    ['norway', 'Oslo', 'Oslo'],
    ['open-hall', 'NRW', 'NRW'],
    ['taveuni-east', undefined, undefined],
  ])('the region of %s is %s', async (slug, region, shown) => {
    const { stateprovince, json_ld } = await venue(slug);
    expect([json_ld?.address.addressRegion, stateprovince]).toEqual([region, shown]);
  });

  test('map flags', async () => {
    expect(await venue('norway')).toMatchObject({ show_map: false, show_map_link: false });
    expect(await venue('united-states')).toMatchObject({ show_map: true, show_map_link: true });
  });
});
