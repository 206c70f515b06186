import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { type SourceItem, warningText } from '../../../../src/transfer/source.js';
import { metaValue } from '../../../../src/wordpress/model.js';

/** Files as other programs and services write them: made up, with the forms of theirs. */

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-world-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(name: string, text: string): Promise<{ items: SourceItem[]; told: string[] }> {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const told: string[] = [];
  const warn = (line: string, at = {}): void => void told.push(warningText(line, { ...at, file: undefined }));
  const source = await openFile(inputFile(file), { now: Date.parse('2026-06-15T12:00:00Z'), zone: 'Europe/Berlin', warn });
  const items: SourceItem[] = [];
  const fail = (problem: string): never => {
    throw new Error(problem);
  };
  for await (const item of source.items(fail)) items.push(item);
  return { items, told };
}

const events = ({ items }: { items: SourceItem[] }): string[] =>
  items.flatMap((item) =>
    item.kind === 'post' && item.post.type === 'tribe_events'
      ? [[item.post.title, ...['_EventStartDate', '_EventEndDate', '_EventTimezone'].map((key) => metaValue(item.post, key))].join(' | ')]
      : [],
  );

describe('WordPress exports', () => {
  const post = (fields: string): string => `<item>${fields}<wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>`;

  test('with the oddities of theme tests', async () => {
    const { items, told } = await read(
      'theme.xml',
      `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a WordPress eXtended RSS file. -->
<!-- 1. Log in to that site as an administrator. -->
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>Theme &amp; Test</title>
<wp:author><wp:author_id>0</wp:author_id><wp:author_login>tester</wp:author_login></wp:author>
<wp:author><wp:author_id>0</wp:author_id><wp:author_login>other</wp:author_login></wp:author>
<wp:author><wp:author_id>3</wp:author_id><wp:author_login>Tester</wp:author_login></wp:author>
<wp:category><wp:term_id>5</wp:term_id><wp:category_nicename>child</wp:category_nicename><wp:category_parent>parent</wp:category_parent><wp:cat_name><![CDATA[Child]]></wp:cat_name></wp:category>
<wp:category><wp:term_id>4</wp:term_id><wp:category_nicename>parent</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name><![CDATA[Parent]]></wp:cat_name></wp:category>
<wp:category><wp:term_id>6</wp:term_id><wp:category_nicename>orphan</wp:category_nicename><wp:category_parent>gone</wp:category_parent><wp:cat_name><![CDATA[Orphan]]></wp:cat_name></wp:category>
<wp:term><wp:term_id>4</wp:term_id><wp:term_taxonomy>category</wp:term_taxonomy><wp:term_slug>parent</wp:term_slug><wp:term_name><![CDATA[Parent]]></wp:term_name></wp:term>
<wp:tag><wp:term_id>4</wp:term_id><wp:tag_slug>parent</wp:tag_slug><wp:tag_name><![CDATA[Same id]]></wp:tag_name></wp:tag>
${post('<title>Markup: <em>With</em> <br> marks</title><wp:post_id>7</wp:post_id><wp:post_name></wp:post_name><dc:creator>TESTER</dc:creator>')}
${post('<title></title><content:encoded><![CDATA[No title]]></content:encoded><wp:post_id>8</wp:post_id>')}
${post('<title>A & B &copy; &#8211; &#x2014; &#0; <3</title><wp:post_id>9</wp:post_id><wp:post_name>Mixed Case</wp:post_name>')}
${post('<title>Tags</title><wp:post_id>10</wp:post_id><category domain="tag" nicename="new"><![CDATA[New]]></category><category><![CDATA[Feed]]></category><category domain="post_format" nicename="post-format-aside"><![CDATA[Aside]]></category>')}
${post('<title>Dates</title><wp:post_id>11</wp:post_id><wp:post_date>0000-00-00 00:00:00</wp:post_date><wp:post_date_gmt>2026-07-01 10:00:00</wp:post_date_gmt>')}
${post('<title>Talk</title><wp:post_id>12</wp:post_id><wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_date>0000-00-00 00:00:00</wp:comment_date></wp:comment><wp:comment><wp:comment_id>1</wp:comment_id></wp:comment><wp:comment><wp:comment_id>2</wp:comment_id><wp:comment_parent>1</wp:comment_parent></wp:comment>')}
${post('<title>Talk, too</title><wp:post_id>13</wp:post_id><wp:comment><wp:comment_id>1</wp:comment_id></wp:comment>')}
<item><title>Photo</title><guid>http://old.example/wp-content/uploads/2010/08/a%20b.jpg?w=300</guid><wp:post_id>14</wp:post_id><wp:post_type>attachment</wp:post_type></item>
<item><title>Lost</title><wp:post_id>15</wp:post_id><wp:post_type>attachment</wp:post_type></item>
<item><title>Photo</title><wp:post_id>16</wp:post_id><wp:post_type>attachment</wp:post_type><wp:attachment_url>http://old.example/b.jpg</wp:attachment_url><wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>/var/www/uploads/b.jpg</wp:meta_value></wp:postmeta></item>
<item><title>Draft</title><wp:post_id>17</wp:post_id><wp:status>draft</wp:status><wp:post_type>page</wp:post_type></item>
<item><title>Part of a theme</title><wp:post_id>18</wp:post_id><wp:post_type>wp_global_styles</wp:post_type></item>
<item><title>Product</title><wp:post_id>19</wp:post_id><wp:post_type>product</wp:post_type><wp:postmeta><wp:meta_key>_elementor_data</wp:meta_key><wp:meta_value><![CDATA[[{"a":"]]]]><![CDATA[>"}]]]></wp:meta_value></wp:postmeta></item>
</channel>
</rss>`,
    );
    const posts = items.flatMap((item) => (item.kind === 'post' ? [item.post] : []));
    expect(items.flatMap((item) => (item.kind === 'user' ? [`${item.user._id} ${item.user.login}`] : []))).toEqual(['1 tester', '2 other']);
    const terms = items.flatMap((item) => (item.kind === 'term' ? [item.term] : []));
    expect(terms.map(({ _id, taxonomy, slug, parent }) => [_id, taxonomy, slug, parent].join(' '))).toEqual([
      '5 category child 4',
      '4 category parent 0',
      '6 category orphan 0',
      '7 post_tag parent 0',
      '1 category uncategorized 0',
      '8 post_tag new 0',
    ]);
    expect(posts.map(({ _id, slug, title }) => `${_id} ${slug}: ${title}`)).toEqual([
      '7 markup-with-marks: Markup: <em>With</em> <br> marks',
      '8 8: ',
      '9 mixed-case: A & B &copy; – — &#0; <3',
      '10 tags: Tags',
      '11 dates: Dates',
      '12 talk: Talk',
      '13 talk-too: Talk, too',
      '14 photo: Photo',
      '16 photo: Photo',
      '17 : Draft',
    ]);
    expect(posts[0].author).toBe(1);
    expect([posts[3].terms, posts[3].format]).toEqual([{ post_tag: [8], category: [1] }, 'aside']);
    expect([posts[4].date, posts[4].dateGmt]).toEqual(['2026-07-01 12:00:00', '2026-07-01 10:00:00']);
    expect(posts.slice(7, 9).map(({ file }) => file)).toEqual(['2010/08/a b.jpg', 'b.jpg']);
    const comments = items.flatMap((item) => (item.kind === 'comment' ? [item.comment] : []));
    expect(comments.map(({ _id, post: of, parent, date }) => [_id, of, parent, date])).toEqual([
      [1, 12, 0, '2026-06-15 14:00:00'],
      [2, 12, 1, '2026-06-15 14:00:00'],
      [3, 13, 0, '2026-06-15 14:00:00'],
    ]);
    expect(told.map((line) => line.replace(/^line \d+: /, ''))).toEqual([
      'post "Talk": left out: duplicate comment 1',
      'attachment "Lost": left out: the attachment has no file (wp:attachment_url)',
      expect.stringContaining('parent "gone" of a term'),
      'WordPress export: left out post of type wp_global_styles (1)',
      'WordPress export: left out post of type product (1)',
      expect.stringContaining('no post type product'),
    ]);
  });
});

describe('spreadsheets', () => {
  test.each<[of: string, text: string, found: string[]]>([
    [
      'Google Calendar',
      'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\n"Tea, cake",07/30/2026,10:00 AM,07/30/2026,1:00 PM,FALSE,"Bring ""cake""",Hall,TRUE\n',
      ['Tea, cake | 2026-07-30 10:00:00 | 2026-07-30 13:00:00 | Europe/Berlin'],
    ],
    [
      'Outlook',
      '"Subject","Start Date","Start Time","End Date","End Time","All day event","Reminder on/off","Meeting Organizer","Categories","Description","Location"\r\n"Tea","7/30/2026","10:00:00 AM","7/30/2026","11:00:00 AM","False","False","Ann","Music","Two\r\nlines","Hall"\r\n',
      ['Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | Europe/Berlin'],
    ],
    [
      'Eventbrite',
      'Event ID,Event Name,Event Status,Venue Name,Organizer Name,Start Date,Start Time,End Date,End Time,Timezone\n123,Tea,Live,Hall,Guild,2026-07-30,10:00,2026-07-30,11:00,America/New_York\n',
      ['Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | America/New_York'],
    ],
    [
      'Meetup',
      'Event Name,Event Date,Start Time,Venue,RSVPs,Event URL\nTea,"July 30, 2026",7:00 PM,Hall,12,https://meetup.example/1\n',
      ['Tea | 2026-07-30 19:00:00 | 2026-07-30 19:00:00 | Europe/Berlin'],
    ],
    [
      'a service with moments',
      'Name;Starts At;Ends At\nTea;2026-07-30 10:00;2026-07-30 11:00\n',
      ['Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | Europe/Berlin'],
    ],
    [
      'a spreadsheet with a title above, and empty columns',
      'Parish events 2026,,,,\n,,,,\nTitle,Date,From,To,\nTea,30 July 2026,10:00,11:00,\n,,,,\nChoir,2026-07-31,,,\n',
      [
        'Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | Europe/Berlin',
        'Choir | 2026-07-31 00:00:00 | 2026-07-31 00:00:00 | Europe/Berlin',
      ],
    ],
  ])('%s', async (_of, text, found) => expect(events(await read('list.csv', text))).toEqual(found));
});

describe('calendars', () => {
  const calendar = (prodid: string, ...lines: string[]): string =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:${prodid}`, ...lines, 'END:VCALENDAR', ''].join('\r\n');
  const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Tea', ...lines, 'END:VEVENT'];

  test.each<[of: string, text: string, found: string]>([
    [
      'Confluence',
      calendar(
        '-//Atlassian Confluence//Calendar Plugin 1.0//EN',
        'X-WR-CALNAME:Town',
        'X-WR-TIMEZONE:Europe/London',
        'X-MIGRATED-FOR-USER-KEY:true',
        ...event(
          'DTSTART;TZID=Europe/London:20260730T100000',
          'DTEND;TZID=Europe/London:20260730T110000',
          'ORGANIZER;X-CONFLUENCE-USER-KEY=8a;CN=Ann;CUTYPE=INDIVIDUAL:mailto:ann@example.org',
          'X-CONFLUENCE-SUBCALENDAR-TYPE:other',
        ),
      ),
      'Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | Europe/London',
    ],
    [
      'Zimbra',
      calendar(
        'Zimbra-Calendar-Provider',
        ...event(
          'DTSTART;TZID="(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna":20260730T100000',
          'DURATION:PT1H',
          'CLASS:PUBLIC',
          'X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY',
        ),
      ),
      'Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | Europe/Amsterdam',
    ],
    [
      'Lotus Notes',
      calendar(
        '-//Lotus Development Corporation//NONSGML Notes 8.5//EN_C',
        'METHOD:PUBLISH',
        ...event('DTSTART;TZID="Eastern":20260730T100000', 'DTEND;TZID="Eastern":20260730T110000', 'X-LOTUS-NOTESVERSION:2'),
      ),
      'Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | America/New_York',
    ],
    [
      'Teamup',
      calendar(
        '-//Teamup Solutions AG//Teamup Calendar//EN',
        'X-PUBLISHED-TTL:PT4H',
        ...event('DTSTART;VALUE=DATE:20260730', 'DTEND;VALUE=DATE:20260731', 'X-TEAMUP-WHO:Ann'),
      ),
      'Tea | 2026-07-30 00:00:00 | 2026-07-30 23:59:59 | Europe/Berlin',
    ],
    [
      'a church system',
      calendar(
        '-//Church//EN',
        'X-WR-TIMEZONE:America/Chicago',
        ...event('DTSTART:20260730T150000Z', 'DTEND:20260730T160000Z', 'LOCATION:Nave\\, Main St 1', 'DESCRIPTION:<p>All welcome</p>'),
      ),
      'Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | America/Chicago',
    ],
    [
      'Exchange with a zone of its own',
      calendar(
        'Microsoft Exchange Server 2010',
        ...event('DTSTART;TZID=tzone://Microsoft/Custom:20260730T100000', 'DTEND;TZID=tzone://Microsoft/Custom:20260730T110000'),
      ),
      'Tea | 2026-07-30 10:00:00 | 2026-07-30 11:00:00 | Europe/Berlin',
    ],
  ])('%s', async (_of, text, found) => expect(events(await read('list.ics', text))).toEqual([found]));
});
