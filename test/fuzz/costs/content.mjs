// As many of each kind of content as a site has events: what a site of events lacks.
import { ATTENDEE_KEYS, RSVP_STATUS } from '../../../dist/plugins/event-tickets/model/attendee.js';
import { KEYS } from '../../../dist/plugins/event-tickets/model/ticket.js';
import { withDerivedColumns } from '../../../dist/wordpress/posts/posts.js';
import { recountTerms } from '../../../dist/wordpress/terms/term-save.js';

const WORDS = ['garden', 'river', 'evening', 'music', 'market', 'bread', 'café', 'Übung'];
const words = (i, length) => Array.from({ length }, (_, n) => WORDS[(i * 7 + n * n * 3 + n) % WORDS.length]).join(' ');

const timeOf = (i) => new Date(Date.UTC(2024, 0, 1) + i * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

const rows = (meta) => Object.entries(meta).map(([key, value]) => ({ key, value: String(value) }));

/** Attendees of each ticket, and tickets for each event: 11,000 attendees for 10,000 events. */
const ATTENDEES = 2;
const TICKETS = 0.55;

const common = (i) => ({
  ...{ author: 1, status: 'publish', content: `${words(i, 30)}.\n\n${words(i + 1, 30)}.`, excerpt: words(i, 8), password: '', parent: 0 },
  ...{ menuOrder: 0, meta: [], terms: {}, date: timeOf(i), dateGmt: timeOf(i), modified: timeOf(i), modifiedGmt: timeOf(i), version: 1 },
});

const named = (type, name) => (_id, i) => ({ ...common(i), _id, type, title: `${words(i, 3)} ${name} ${i}`, slug: `${name}-${_id}` });

function ticket(_id, i, event) {
  const isRsvp = i % 4 === 3;
  const meta = {
    [isRsvp ? KEYS.rsvpEvent : KEYS.tcEvent]: event,
    [KEYS.price]: isRsvp ? 0 : 5 + (i % 40),
    [KEYS.managed]: i % 10 === 9 ? 'no' : 'yes',
    [KEYS.stock]: i % 30,
    [KEYS.capacity]: i % 10 === 9 ? -1 : (i % 30) + ATTENDEES,
    [KEYS.sold]: ATTENDEES,
    [KEYS.startDate]: '2026-01-01',
    [KEYS.endDate]: '2026-12-31',
  };
  const type = isRsvp ? 'tribe_rsvp_tickets' : 'tec_tc_ticket';
  return { ...common(i), _id, type, menuOrder: -1, title: `Ticket ${i}`, slug: `ticket-${i}`, meta: rows(meta) };
}

function attendee(_id, i, { ticket: of, event, order }) {
  const keys = ATTENDEE_KEYS[order ? 'tc' : 'rsvp'];
  const meta = {
    [keys.ticket]: of,
    [keys.event]: event,
    [keys.name]: `Guest ${i}`,
    [keys.email]: `guest-${i}@example.org`,
    ...(order ? {} : { [RSVP_STATUS]: 'yes' }),
  };
  const type = order ? 'tec_tc_attendee' : 'tribe_rsvp_attendees';
  return { ...common(i), _id, type, parent: order ?? 0, title: `Guest ${i}`, slug: `guest-${i}`, meta: rows(meta) };
}

const order = (_id, i) => ({
  ...common(i),
  _id,
  type: 'tec_tc_order',
  status: 'tec-tc-completed',
  title: `Order ${i}`,
  slug: `order-${i}`,
});

/** Tickets of events, with an order of each that is sold, and attendees. */
function ticketsOf(events, count, first) {
  const posts = [];
  let next = first;
  for (let i = 0; i < count; i += 1) {
    const event = events[i % events.length];
    const made = ticket(next++, i, event);
    const sold = made.type === 'tec_tc_ticket' ? order(next++, i) : undefined;
    posts.push(made, ...(sold ? [sold] : []));
    for (let n = 0; n < ATTENDEES; n += 1) posts.push(attendee(next++, i * ATTENDEES + n, { ticket: made._id, event, order: sold?._id }));
  }
  return posts;
}

const TAXONOMIES = ['post_tag', 'category', 'tribe_events_cat'];

function term(_id, i) {
  const name = `${words(i, 2)} ${i}`;
  const counts = { termGroup: 0, termTaxonomyId: _id, count: 0, branchCount: 0 };
  const texts = { name, slug: `term-${i}`, description: words(i, 10), nameKey: name.toLowerCase(), search: name.toLowerCase() };
  return { _id, taxonomy: TAXONOMIES[i % TAXONOMIES.length], parent: 0, ...texts, ...counts };
}

function user(_id, i) {
  const login = `author-${i}`;
  return {
    _id,
    login,
    email: `${login}@example.org`,
    displayName: `Author ${i}`,
    nicename: login,
    url: '',
    role: 'author',
    applicationPasswords: [],
  };
}

const comment = (_id, i, post) => ({
  ...{
    _id,
    post,
    parent: 0,
    author: 0,
    authorName: `Guest ${i}`,
    authorEmail: `guest-${i}@example.org`,
    authorUrl: '',
    authorIp: '127.0.0.1',
  },
  ...{ agent: '', date: timeOf(i), dateGmt: timeOf(i), content: words(i, 40), approved: '1', type: 'comment' },
});

const KINDS = {
  posts: named('post', 'post'),
  pages: named('page', 'page'),
  venues: named('tribe_venue', 'house'),
  organizers: named('tribe_organizer', 'group'),
};

function attachment(_id, i) {
  const file = `2026/06/picture-${_id}.jpg`;
  const size = (width, height) => ({
    file: `picture-${_id}-${width}x${height}.jpg`,
    width,
    height,
    'mime-type': 'image/jpeg',
    filesize: 9_000,
  });
  const sizes = { medium: size(300, 200), thumbnail: size(150, 150) };
  const image = { width: 1600, height: 1067, file, filesize: 123_456, sizes };
  return { ...named('attachment', 'picture')(_id, i), status: 'inherit', mimeType: 'image/jpeg', file, image };
}

/**
 * Stores so many of each kind of content.
 * @param events ids of the events, which get the tickets
 * @returns ids by kind
 */
export async function addContent(store, events) {
  const count = events.length;
  const indexes = Array.from({ length: count }, (_, i) => i);
  const [terms, users, comments] = [1_000, 1_000, 1].map((first) => indexes.map((i) => first + i));
  const ids = { terms, users, comments };
  let next = events.at(-1) + 1;
  const posts = [];
  for (const [kind, make] of Object.entries({ ...KINDS, images: attachment })) {
    ids[kind] = indexes.map((i) => next + i);
    next += count;
    for (const [i, id] of ids[kind].entries()) posts.push(make(id, i));
  }
  const termOf = (taxonomy, i) => ({ [taxonomy]: [terms[(i * TAXONOMIES.length + TAXONOMIES.indexOf(taxonomy)) % (count - (count % 3))]] });
  // Each user and each tag has a post.
  for (const [i, post] of posts.slice(0, count).entries())
    Object.assign(post, { author: users[i], terms: { ...termOf('post_tag', i), ...termOf('category', i % 5) } });
  const tickets = ticketsOf(events, Math.round(TICKETS * count), next);
  ids.tickets = tickets.filter(({ type }) => /ticket/.test(type)).map(({ _id }) => _id);
  ids.attendees = tickets.filter(({ type }) => /attendee/.test(type)).map(({ _id }) => _id);
  posts.push(...tickets);
  for (let at = 0; at < posts.length; at += 5_000)
    await store.insert(
      'posts',
      posts.slice(at, at + 5_000).map((post) => withDerivedColumns(post, store.registry)),
    );
  await store.insert('terms', terms.map(term));
  await store.insert('users', users.map(user));
  await store.insert(
    'comments',
    comments.map((id, i) => comment(id, i, ids.posts[i])),
  );
  await store.sequences.reserve('posts', posts.at(-1)._id + 10);
  await store.sequences.reserve('terms', terms.at(-1) + 10);
  await store.sequences.reserve('users', users.at(-1) + 10);
  await store.sequences.reserve('comments', comments.at(-1) + 10);
  await recountTerms(store);
  return ids;
}
