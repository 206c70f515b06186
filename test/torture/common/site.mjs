// The content of the sites, and how it is read over HTTP.
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ADMIN } from './client.mjs';

export const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Number of events per generation. A response contains all events of one generation, and none of another. */
export const GENERATION_SIZE = 40;

const two = (n) => String(n).padStart(2, '0');
const dayOf = (n) => `2026-07-${two(1 + (n % 28))}`;

/** A dataset whose events contain the name of their generation. */
export const datasetOf = (generation, size = GENERATION_SIZE) => ({
  site: { name: 'Torture', timezone: 'America/New_York' },
  clock: '2026-06-15T12:00:00Z',
  users: [{ id: 1, login: ADMIN.login, role: 'administrator', application_password: ADMIN.password }],
  categories: [{ slug: 'generation', name: 'Generation' }],
  venues: [{ slug: 'hall', name: `Hall ${generation}` }],
  events: Array.from({ length: size }, (_, n) => ({
    title: `Generation ${generation}, ${n}`,
    description: `Version 0`,
    start: `${dayOf(n)} 10:00`,
    duration: '2h',
    venue: 'hall',
    categories: ['generation'],
  })),
});

export function writeDataset(folder, generation, size) {
  const file = path.join(folder, `generation-${generation}.json`);
  writeFileSync(file, JSON.stringify(datasetOf(generation, size)));
  return file;
}

/** Fields of an event. Each contains the version. */
export const fieldsOf = (title, version, n) => ({
  title,
  description: `Version ${version}`,
  excerpt: `Short ${version}`,
  start_date: `${dayOf(version)} 10:${two(version % 60)}:00`,
  end_date: `${dayOf(version)} 12:${two(version % 60)}:00`,
  categories: [`Category ${n % 7}`],
  venue: { venue: `Venue ${n % 6}` },
});

/** The version of an event, or a description of a mixture of two versions. */
function versionOf(event) {
  const version = Number(/Version (\d+)/.exec(event.description)?.[1] ?? -1);
  if (event.title.startsWith('Generation ')) return event.venue?.venue?.startsWith('Hall ') ? version : 'without its venue';
  const whole = fieldsOf(event.title, version, 0);
  const isWhole = event.excerpt.includes(whole.excerpt) && event.start_date === whole.start_date && event.end_date === whole.end_date;
  return isWhole && event.venue?.venue?.startsWith('Venue ') ? version : `a mixture: ${event.excerpt} ${event.start_date} ${version}`;
}

const EVENTS = 'per_page=50&status=publish,trash&start_date=2000-01-01';

async function pages(send, address, itemsOf, totalPages) {
  const items = [];
  for (let page = 1; ; page += 1) {
    const response = await send(`${address}&page=${page}`);
    if (response?.status !== 200) return { items, error: `${address}, page ${page}: ${response?.status} ${response?.text.slice(0, 200)}` };
    items.push(...itemsOf(response.body));
    if (page >= totalPages(response)) return { items };
  }
}

/** Relative paths of a folder's files. */
function filesOf(folder) {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  } catch {
    return [];
  }
}

/**
 * Reads a site like a client, and checks that its responses are consistent.
 * @param url address of the site
 * @param data its data folder, to find orphaned files; omit to skip that
 * @param isForeign whether an event, by its title, is checked elsewhere; it then only counts for categories and slugs
 * @returns {Promise<{ items: Map<string, string>, problems: string[] }>} the state of each event and image by name
 */
export async function readSite(send, url, data, isForeign = () => false) {
  const rest = `${url}/wp-json/tribe/events/v1`;
  const problems = [];
  const note = (error) => error && problems.push(error);
  const events = await pages(
    send,
    `${rest}/events?${EVENTS}`,
    (body) => body.events,
    (response) => response.body.total_pages,
  );
  note(events.error);
  const categories = await pages(
    send,
    `${rest}/categories?per_page=50&hide_empty=0`,
    (body) => body.categories,
    (response) => response.body.total_pages,
  );
  note(categories.error);
  const media = await pages(
    send,
    `${url}/wp-json/wp/v2/media?per_page=100`,
    (body) => body,
    (response) => Number(response.headers['x-wp-totalpages']),
  );
  note(media.error);

  const items = new Map();
  const slugs = new Set();
  for (const event of events.items) {
    if (slugs.has(event.slug)) problems.push(`there are two events with the slug ${event.slug}`);
    slugs.add(event.slug);
    if (isForeign(event.title)) continue;
    const version = versionOf(event);
    if (typeof version === 'string') problems.push(`${event.title} is ${version}`);
    if (items.has(event.title)) problems.push(`there are two events "${event.title}"`);
    items.set(event.title, event.status === 'trash' ? 'trash' : `version ${version}`);
  }
  const published = events.items.filter(({ status }) => status === 'publish');
  for (const { name, slug, count } of categories.items) {
    const found = published.filter((event) => event.categories.some((category) => category.slug === slug)).length;
    if (found !== count) problems.push(`category ${name} (${slug}) counts ${count} events, there are ${found}`);
  }
  const names = categories.items.map(({ name }) => name);
  for (const name of new Set(names.filter((each, i) => names.indexOf(each) !== i))) problems.push(`there are two categories named ${name}`);
  const known = new Set();
  for (const { slug, source_url: address, media_details: details } of media.items) {
    const file = await send(address);
    if (file?.status !== 200) problems.push(`the file of image ${slug} is ${file?.status}`);
    items.set(`image ${slug}`, file?.status === 200 ? hashOf(file.bytes) : 'missing');
    const folder = path.dirname(details.file ?? '');
    known.add(details.file);
    for (const size of Object.values(details.sizes ?? {})) known.add(path.join(folder, size.file));
    if (details.original_image) known.add(path.join(folder, details.original_image));
  }
  if (data) for (const file of filesOf(path.join(data, 'uploads'))) if (!known.has(file)) problems.push(`no image names the file ${file}`);
  return { items, problems };
}

const SHOWN = `categories=generation&per_page=50&start_date=2000-01-01`;

/** Reads the events of the current generation. A response with parts of two is wrong. @returns the problem, or null */
export async function readGeneration(send, url, size = GENERATION_SIZE) {
  const response = await send(`${url}/wp-json/tribe/events/v1/events?${SHOWN}&_=${performance.now()}`);
  if (response?.status !== 200) return null;
  const generations = new Set(response.body.events.map(({ title }) => title.split(',')[0]));
  const isWhole = generations.size === 1 && response.body.events.length === size && response.body.total === size;
  return isWhole
    ? null
    : `a list shows ${response.body.events.length} of ${response.body.total} events of ${[...generations].join(' and ')}`;
}
