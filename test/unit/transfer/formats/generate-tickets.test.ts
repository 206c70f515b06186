import { attendeeOf } from '../../../../src/plugins/event-tickets/model/attendee.js';
import { ticketOf } from '../../../../src/plugins/event-tickets/model/ticket.js';
import { GENERATE_DEFAULTS, generate } from '../../../../src/transfer/generate/index.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { isOfPlugin } from '../../../../src/transfer/writing.js';
import type { Post } from '../../../../src/wordpress/model.js';
import { runCli } from '../../../support/cli.js';
import { itemsOf, written } from '../dataset/files.js';

const postsOf = async (tickets: number, events = 120): Promise<Post[]> =>
  (await itemsOf(generate({ ...GENERATE_DEFAULTS, events, shares: { tickets } }, null))).flatMap((item) =>
    item.kind === 'post' ? [item.post] : [],
  );

const ofTypes = (posts: readonly Post[], ...types: string[]): Post[] => posts.filter(({ type }) => types.includes(type));

test('a share of the events has tickets, some of them sold out, and some not yet on sale', async () => {
  const posts = await postsOf(0.3);
  const tickets = ofTypes(posts, 'tec_tc_ticket', 'tribe_rsvp_tickets').map(ticketOf);
  const ticketed = new Set(tickets.map(({ event }) => event));
  expect(ticketed.size).toBeGreaterThan(20);
  expect(ticketed.size).toBeLessThan(55);
  const starts = new Map(ofTypes(posts, 'tribe_events').map((post) => [post._id, post.date]));
  expect([...ticketed].every((event) => starts.has(event))).toBe(true);
  expect(tickets.filter(({ available }) => available === 0).length).toBeGreaterThan(3);
  expect(tickets.filter(({ startTime, startDate }) => startTime === '10:00:00' || startDate.endsWith(' 10:00:00')).length).toBeGreaterThan(
    3,
  );
  expect(tickets.some(({ available, capacity }) => available > 0 && available < capacity)).toBe(true);
  expect(new Set(tickets.map(({ provider }) => provider))).toEqual(new Set(['tc', 'rsvp']));
  const attendees = ofTypes(posts, 'tec_tc_attendee', 'tribe_rsvp_attendees').map(attendeeOf);
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  expect(attendees.every(({ ticket, event }) => byId.get(ticket)?.event === event)).toBe(true);
  const orders = new Set(ofTypes(posts, 'tec_tc_order').map(({ _id }) => _id));
  expect(attendees.every(({ provider, post }) => provider === 'rsvp' || orders.has(post.parent))).toBe(true);
});

test('events stay the same with tickets, but for their ids', async () => {
  const [without, withThem] = [await postsOf(0, 20), await postsOf(0.5, 20)];
  expect(without.filter(isOfPlugin)).toEqual([]);
  const titles = (posts: readonly Post[]): string[] => ofTypes(posts, 'tribe_events').map(({ title, date }) => `${title} ${date}`);
  expect(titles(withThem)).toEqual(titles(without));
});

test('generated tickets are a valid dataset', async () => {
  const { file, warnings } = await written(
    generate({ ...GENERATE_DEFAULTS, events: 60, shares: { tickets: 1 } }, null),
    'json',
    'generated.json',
  );
  expect(warnings).toEqual([]);
  const source = await openFile(inputFile(file), { now: null });
  expect(source.plugins).toEqual(['event-tickets']);
  expect((await itemsOf(source)).filter((item) => item.kind === 'post' && isOfPlugin(item.post)).length).toBeGreaterThan(100);
});

test.each([
  ['csv', 'CSV'],
  ['ics', 'iCalendar'],
])('%s says that it leaves tickets out', async (format, name) => {
  const { warnings } = await written(
    generate({ ...GENERATE_DEFAULTS, events: 20, shares: { tickets: 1 } }, null),
    format,
    `generated.${format}`,
  );
  for (const kind of ['ticket', 'attendee', 'order'])
    expect(warnings).toContainEqual(expect.stringMatching(new RegExp(`^${name}: left out ${kind} \\(\\d+\\)$`)));
});

test('the share is written as a percentage or a number', async () => {
  const made = async (share: string): Promise<string> => (await runCli(['generate', '--events', '40', '--tickets', share])).stdout;
  const [percent, number] = [await made('50%'), await made('0.5')];
  expect(percent).toContain('"tec_tc_ticket"');
  expect(percent).toBe(number);
  const { code, stderr } = await runCli(['generate', '--events', '40', '--tickets', '130%']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--tickets must be less than or equal to 1')]);
});
