// Kinds of writes, each with a read that tells the old state from the new one and from mixtures.
import { setTimeout as sleep } from 'node:timers/promises';
import { datasetOf, GENERATION_SIZE } from './site.mjs';
import { noise } from './writers.mjs';

const TEC = '/wp-json/tribe/events/v1';
const CORE = '/wp-json/wp/v2';

/** Number of events in each dataset. */
const SIZE = 8;

/** Another user besides the administrator. */
const USER = { id: 2, login: 'somebody', role: 'author', application_password: 'OneForAllOfThem0000000' };

export const datasetFor = (generation) => {
  const dataset = datasetOf(generation, Math.min(SIZE, GENERATION_SIZE));
  // Each collection contains the name of its generation.
  const categories = [{ slug: 'generation', name: `Category ${generation}` }];
  return { ...dataset, site: { ...dataset.site, name: `Site ${generation}` }, categories, users: [...dataset.users, USER] };
};

const OLD = {
  title: 'Old title',
  description: 'Old text',
  start_date: '2026-07-03 10:00:00',
  end_date: '2026-07-03 12:00:00',
  categories: ['Old category'],
};
const NEW = {
  title: 'New title',
  description: 'New text',
  start_date: '2026-08-03 10:00:00',
  end_date: '2026-08-03 12:00:00',
  categories: ['New category'],
};

const FIELDS = ['title', 'start_date', 'end_date'];

/** The version of the event in the response. All of its fields must have the same one. */
function versionOf(event) {
  const text = /Old|New/.exec(event.description)?.[0];
  const wanted = { Old: OLD, New: NEW }[text];
  const isWhole = wanted && FIELDS.every((field) => event[field] === wanted[field]);
  const names = event.categories.map(({ name }) => name);
  // Categories are separate documents, so a category that does not exist yet or was deleted is missing.
  const isListed = wanted && names.every((name) => wanted.categories.includes(name));
  return isWhole && isListed ? text.toLowerCase() : `mixed: ${JSON.stringify({ text, ...event.title, names, start: event.start_date })}`;
}

const must = (response, what, ...statuses) => {
  if (!response || !statuses.includes(response.status))
    throw new Error(`${what} got ${response?.status}: ${response?.text?.slice(0, 300)}`);
  return response.body;
};

const createOld = async (send, { url }, more = {}) =>
  must(await send(`${url}${TEC}/events`, 'POST', { ...OLD, ...more }), 'The creation of an event', 201);

const bySearch = async (send, { url }, title) =>
  must(await send(`${url}${TEC}/events?search=${encodeURIComponent(title)}&start_date=2000-01-01`), 'A search', 200).events;

/** The generation of the current content, or a description of a mixture. */
async function generationOf(send, { url }) {
  const response = await send(`${url}${TEC}/events?per_page=50&start_date=2000-01-01`);
  if (response?.status !== 200) return `mixed: status ${response?.status}`;
  const { events, total } = response.body;
  const site = await send(`${url}${CORE}/settings`);
  const namesOf = ({ title, venue, categories }) => [
    title.split(',')[0],
    venue.venue,
    ...categories.map(({ name }) => name),
    site?.body?.title,
  ];
  const names = [...new Set(events.map((event) => namesOf(event).join(', ')))];
  const name = names.length === 1 && /^Generation (\w+), Hall \1, Category \1, Site \1$/.exec(names[0])?.[1];
  return name && events.length === SIZE && total === SIZE ? name : `mixed: ${events.length} of ${total}: ${names.join(' and ')}`;
}

const shownAs = (old, fresh) => async (send, server) => {
  const shown = await generationOf(send, server);
  return shown === old ? 'old' : shown === fresh ? 'new' : shown;
};

const seed = async (send, { url }, generation) =>
  must(await send(`${url}/__qa/seed?pristine=false`, 'POST', datasetFor(generation)), 'A seed', 200);

/**
 * A kind of write.
 * @typedef {object} Kind
 * @property {(send, server) => Promise<object>} [prepare] creates its preconditions through another server
 * @property {(send, server, prepared) => Promise<object | null>} act sends the write, and returns its response
 * @property {(send, server, prepared) => Promise<string>} see the visible state: `old`, `new`, or a description of a mixture
 * @property {(send, server, prepared) => Promise<unknown>} [end] restores state that a reset does not cover
 * @property {boolean} [isLarge] replaces all content with several commands, so that a mixture may be visible until another server has taken
 * over
 * @property {(send, server) => Promise<string>} [restored] the state after a restore of the interrupted snapshot
 * @property {boolean} [isRefused] a repetition may be rejected, since the write has happened
 */

/** @type {Record<string, Kind>} */
export const KINDS = {
  create: {
    act: (send, { url }, { image }) =>
      send(`${url}${TEC}/events`, 'POST', { ...NEW, venue: { venue: 'New hall', city: 'Lincoln' }, image, tags: ['New tag'] }),
    prepare: async (send, server, { imageUrl }) => ({ image: imageUrl }),
    see: async (send, server) => {
      const [event, second] = await bySearch(send, server, NEW.title);
      if (!event || second) return event ? 'new' : 'old';
      const version = versionOf(event);
      const isWhole = event.venue?.venue === 'New hall' && event.venue.city === 'Lincoln' && event.image?.url;
      return isWhole ? version : `mixed: venue ${JSON.stringify(event.venue?.venue)}, image ${JSON.stringify(event.image?.url)}`;
    },
  },
  update: {
    prepare: async (send, server) => ({ id: (await createOld(send, server)).id }),
    act: (send, { url }, { id }) => send(`${url}${TEC}/events/${id}`, 'POST', NEW),
    see: async (send, { url }, { id }) => versionOf(must(await send(`${url}${TEC}/events/${id}`), 'An event', 200)),
  },
  trash: {
    prepare: async (send, server) => ({ id: (await createOld(send, server)).id }),
    act: (send, { url }, { id }) => send(`${url}${TEC}/events/${id}`, 'DELETE'),
    see: async (send, { url }, { id }) => {
      const { status } = must(await send(`${url}${CORE}/tribe_events/${id}?context=edit`), 'An event', 200);
      return { publish: 'old', trash: 'new' }[status] ?? `mixed: ${status}`;
    },
    isRefused: true,
  },
  delete: {
    prepare: async (send, server) => ({ id: (await createOld(send, server)).id }),
    act: (send, { url }, { id }) => send(`${url}${CORE}/tribe_events/${id}?force=true`, 'DELETE'),
    see: async (send, { url }, { id }) => {
      const single = await send(`${url}${CORE}/tribe_events/${id}`);
      return { 200: 'old', 404: 'new' }[single?.status] ?? `mixed: status ${single?.status}`;
    },
    isRefused: true,
  },
  'create a category': {
    act: (send, { url }) => send(`${url}${TEC}/categories`, 'POST', { name: 'New category', description: 'New text' }),
    see: async (send, { url }) => {
      const { categories } = must(await send(`${url}${TEC}/categories?per_page=50&hide_empty=0`), 'Categories', 200);
      const found = categories.find(({ name }) => name === 'New category');
      if (!found) return 'old';
      return found.description === 'New text' && found.slug === 'new-category' ? 'new' : `mixed: ${JSON.stringify(found)}`;
    },
    isRefused: true,
  },
  'delete a category': {
    prepare: async (send, server) => {
      const { id, categories } = await createOld(send, server);
      return { event: id, id: categories[0].id };
    },
    act: (send, { url }, { id }) => send(`${url}${CORE}/tribe_events_cat/${id}?force=true`, 'DELETE'),
    see: async (send, { url }, { id, event }) => {
      const found = await send(`${url}${CORE}/tribe_events_cat/${id}`);
      const shown = must(await send(`${url}${TEC}/events/${event}`), 'An event', 200).categories.length;
      const state = { 200: 'old', 404: 'new' }[found?.status] ?? `mixed: status ${found?.status}`;
      return state === 'new' && shown > 0 ? 'mixed: an event shows a category that is gone' : state;
    },
    isRefused: true,
  },
  settings: {
    act: (send, { url }) => send(`${url}${CORE}/settings`, 'POST', { title: 'New name', description: 'New text' }),
    see: async (send, { url }) => {
      const { title, description } = must(await send(`${url}${CORE}/settings`), 'Settings', 200);
      if (title === 'New name' && description === 'New text') return 'new';
      return title === 'Site steps' && description !== 'New text' ? 'old' : `mixed: ${title}, ${description}`;
    },
    end: (send, { url }) => send(`${url}${CORE}/settings`, 'POST', { title: 'Site steps', description: '' }),
  },
  user: {
    act: (send, { url }) => send(`${url}${CORE}/users/2`, 'POST', { name: 'New name', description: 'New text', roles: ['editor'] }),
    see: async (send, { url }) => {
      const { name, description, roles } = must(await send(`${url}${CORE}/users/2?context=edit`), 'A user', 200);
      const shown = [name, description, ...roles].join();
      if (shown === 'New name,New text,editor') return 'new';
      return name !== 'New name' && description === '' && roles.join() === 'author' ? 'old' : `mixed: ${shown}`;
    },
  },
  upload: {
    prepare: async (send, server, { random }) => ({ bytes: noise(random, 8, 8) }),
    act: (send, { url }, { bytes }) =>
      send(`${url}${CORE}/media`, 'POST', bytes, {
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="new-image.png"',
      }),
    see: async (send, { url }) => {
      const found = must(await send(`${url}${CORE}/media?per_page=100`), 'Media', 200).filter(({ slug }) => slug.startsWith('new-image'));
      if (found.length === 0) return 'old';
      return found.every(({ media_details: { width }, source_url: at }) => width === 8 && at.endsWith('.png')) ? 'new' : 'mixed';
    },
  },
  publish: {
    prepare: async (send, server) => {
      const { id } = await createOld(send, server, { status: 'future', date: '2026-06-20 10:00:00' });
      // Interval at which a server checks for scheduled posts of other servers.
      await sleep(1_100);
      return { id };
    },
    act: (send, { url }) => send(`${url}/__qa/clock`, 'PUT', { now: '2026-06-21T12:00:00Z' }),
    see: async (send, { url }, { id }) => {
      const { status } = must(await send(`${url}${CORE}/tribe_events/${id}?context=edit`), 'An event', 200);
      return { future: 'old', publish: 'new' }[status] ?? `mixed: ${status}`;
    },
    end: (send, { url }) => send(`${url}/__qa/clock`, 'PUT', { now: '2026-06-15T12:00:00Z' }),
  },
  reset: {
    prepare: async (send, server) => seed(send, server, 'other'),
    act: (send, { url }) => send(`${url}/__qa/reset`, 'POST'),
    see: shownAs('other', 'steps'),
    isLarge: true,
  },
  seed: {
    act: (send, { url }) => send(`${url}/__qa/seed?pristine=false`, 'POST', datasetFor('seeded')),
    see: shownAs('steps', 'seeded'),
    isLarge: true,
  },
  restore: {
    act: (send, { url }) => send(`${url}/__qa/snapshots/kept/restore`, 'POST'),
    see: shownAs('steps', 'kept'),
    isLarge: true,
  },
  save: {
    // Replaces a snapshot of the same name. A restore returns either of them.
    prepare: async (send, server) => {
      await seed(send, server, 'before');
      must(await send(`${server.url}/__qa/snapshots/saved`, 'PUT'), 'A snapshot', 201);
      await seed(send, server, 'after');
    },
    act: (send, { url }) => send(`${url}/__qa/snapshots/saved`, 'PUT'),
    see: () => Promise.resolve('old'),
    restored: async (send, server) => {
      must(await send(`${server.url}/__qa/snapshots/saved/restore`, 'POST'), 'A restore', 200);
      return shownAs('before', 'after')(send, server);
    },
    isLarge: true,
  },
};

/** Saves the snapshot that is restored later. */
export async function prepareSnapshots(send, server) {
  await seed(send, server, 'kept');
  must(await send(`${server.url}/__qa/snapshots/kept`, 'PUT'), 'A snapshot', 201);
  must(await send(`${server.url}/__qa/reset`, 'POST'), 'A reset', 200);
}

/**
 * Everything that two servers must agree on, as text, and stale counts. In the middle of a load there may be no users, so that all reads
 * fail.
 */
export const summarize = (send, server) => summaryOf(send, server).catch(({ message }) => ({ text: message, stale: [message] }));

async function summaryOf(send, { url }) {
  const read = async (path) => must(await send(`${url}${path}`), path, 200);
  const { events } = await read(`${TEC}/events?per_page=50&status=publish,trash,future&start_date=2000-01-01`);
  const { categories } = await read(`${TEC}/categories?per_page=50&hide_empty=0`);
  const { title, description } = await read(`${CORE}/settings`);
  const user = await read(`${CORE}/users/2?context=edit`);
  const singles = await Promise.all(events.slice(-3).map(({ id }) => read(`${TEC}/events/${id}`)));
  const shown = events.map(({ id, status, slug, description: text }) => [id, status, slug, text]);
  const published = events.filter(({ status }) => status === 'publish');
  const stale = categories.flatMap(({ slug, count }) => {
    const found = published.filter((event) => event.categories.some((category) => category.slug === slug)).length;
    return found === count ? [] : [`category ${slug} counts ${count} events, there are ${found}`];
  });
  const terms = categories.map(({ id, name, slug }) => [id, name, slug]);
  const text = JSON.stringify({
    shown,
    terms,
    title,
    description,
    user: [user.name, user.roles],
    singles: singles.map(({ title: of }) => of),
  });
  return { text, stale };
}
