import { formatsOf, monthFormat } from '../../../src/transfer/live/settings/formats.js';
import { structureOf } from '../../../src/transfer/live/settings/structure.js';

const post = (path: string, date: string, postname: string, id: number, more: Record<string, string> = {}) => {
  const [year, monthnum, day, hour, minute, second] = date.split(/[- :]/);
  return { path, tags: { postname, ...more, year, monthnum, day, hour, minute, second, post_id: String(id) } };
};

test.each([
  ['/%postname%/', [post('/hello/', '2026-06-06 10:00:00', 'hello', 7)]],
  ['/blog/%postname%/', [post('/blog/hello/', '2026-06-06 10:00:00', 'hello', 7)]],
  ['/%year%/%monthnum%/%day%/%postname%/', [post('/2026/06/06/hello/', '2026-06-06 10:00:00', 'hello', 7)]],
  [
    '/archives/%post_id%',
    [post('/archives/12', '2026-06-12 10:12:00', 'hello', 12), post('/archives/13', '2026-06-12 10:00:00', 'bye', 13)],
  ],
  ['/%year%-%monthnum%-%post_id%.html', [post('/2026-06-7.html', '2026-06-07 10:00:00', 'hello', 7)]],
  ['/%category%/%postname%/', [post('/news/local/hello/', '2026-06-06 10:00:00', 'hello', 7, { category: 'news/local' })]],
  ['/by/%author%/%postname%', [post('/by/anna/hello', '2026-06-06 10:00:00', 'hello', 7, { author: 'anna' })]],
  ['/index.php/%postname%/', [post('/index.php/2026/', '2026-06-06 10:00:00', '2026', 7)]],
  [undefined, [post('/somewhere/', '2026-06-06 10:00:00', 'hello', 7), post('/else/', '2026-06-06 10:00:00', 'bye', 8)]],
  [undefined, []],
])('addresses of posts show the structure %s', (structure, posts) => expect(structureOf(posts)).toBe(structure));

const span = (kind: string, text: string): string => `<span class="tribe-event-${kind}">${text}</span>`;

test.each([
  [
    ['2026-06-22 08:00:00', span('date-start', 'June 22 @ 8:00 am') + ' - ' + span('time', '9:00 am')],
    ['g:i a', undefined, 'F j', ' @ ', ' - '],
  ],
  [
    ['2027-06-02 20:00:00', span('date-start', '2. June 2027, 20:00') + ' bis ' + span('date-end', '3. June 2027, 02:00')],
    ['H:i', 'j. F Y', undefined, ', ', ' bis '],
  ],
  [
    ['2026-06-22 08:00:00', span('date-start', 'sometime')],
    [undefined, undefined, undefined, undefined, undefined],
  ],
])('the schedule of an event shows formats: %j', ([start, schedule], expected) =>
  expect(Object.values(formatsOf([{ start, schedule, allDay: false }], ''))).toEqual(expected),
);

test.each([
  ['Events for June 2026 &#8211; Town ', 'F Y'],
  ['Events for June 26 &#8211; Town ', 'F y'],
  ['06/2026 ', undefined],
  ['Town ', undefined],
])('the title of a month shows its format: %s', (title, format) => expect(monthFormat(title, '2026-06', '')).toBe(format));
