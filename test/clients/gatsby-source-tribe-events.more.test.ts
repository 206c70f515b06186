import { createHash, randomUUID } from 'node:crypto';
import { sourceNodes } from 'gatsby-source-tribe-events';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { type CalendarEvent } from './support.js';

/**
 * gatsby-source-tribe-events, which turns the lists of the calendar into Gatsby nodes. Gatsby itself is simulated: its node store, its
 * helpers for ids and digests, and its requirements for nodes.
 */

interface Node extends Record<string, unknown> {
  id: string;
  internal: { type: string; contentDigest: string };
}

/** Stores nodes by id like Gatsby, and rejects those without a type or digest. */
class Nodes {
  readonly byId = new Map<string, Node>();

  createNode(node: Record<string, unknown>): void {
    const { id, internal } = node as Node;
    if (typeof id !== 'string' || !internal.type || !internal.contentDigest) throw new Error('That is no node.');
    if (this.byId.has(id)) throw new Error(`There are two nodes ${id}.`);
    this.byId.set(id, node as Node);
  }

  of(type: string): Node[] {
    return [...this.byId.values()].filter(({ internal }) => internal.type === type);
  }
}

const digest = (content: unknown): string => createHash('md5').update(JSON.stringify(content)).digest('hex');

async function source(baseUrl: string, maxEvents?: number): Promise<Nodes> {
  const nodes = new Nodes();
  const namespace = randomUUID();
  const api = { actions: nodes, createNodeId: (text: string) => digest(namespace + text), createContentDigest: digest };
  const actions = { createNode: (node: Record<string, unknown>): void => nodes.createNode(node) };
  await sourceNodes({ ...api, actions }, { baseUrl, ...(maxEvents !== undefined && { maxEvents }) });
  return nodes;
}

describe('gatsby-source-tribe-events', () => {
  const server = startTestServer({ dataset: WORLD, profile: 'standard' });
  const total = async (kind: string): Promise<number> => {
    const response = await fetch(`${server().restUrl}/tribe/events/v1/${kind}?per_page=50`);
    const { total: count } = (await response.json()) as { total: number };
    return Math.min(50, count);
  };

  test.each([
    ['TribeEvents', 'events'],
    ['TribeVenues', 'venues'],
    ['TribeOrganizers', 'organizers'],
    ['TribeCategories', 'categories'],
    ['TribeTags', 'tags'],
  ])('creates a node for each of the %s', async (type, kind) => {
    const nodes = await source(server().url, 50);
    expect(nodes.of(type).length).toBe(await total(kind));
    expect(nodes.of(type).length).toBeGreaterThan(3);
  });

  test('loads ten events by default, with stable digests', async () => {
    const [first, second] = [await source(server().url), await source(server().url)];
    expect(first.of('TribeEvents').length).toBe(10);
    const digests = (nodes: Nodes): string[] => [...nodes.byId.values()].map(({ internal }) => internal.contentDigest);
    expect(digests(first)).toEqual(digests(second));
  });

  test('gives events the documented fields and downloadable images', async () => {
    const events = (await source(server().url, 50)).of('TribeEvents') as unknown as CalendarEvent[];
    const fields = ['title', 'slug', 'all_day', 'start_date', 'end_date', 'featured', 'venue', 'description'];
    for (const event of events) expect(Object.keys(event)).toEqual(expect.arrayContaining(fields));
    const pictures = events.flatMap(({ image }) => (image ? [image.url, ...Object.values(image.sizes).map(({ url }) => url)] : []));
    expect(pictures.length).toBeGreaterThan(3);
    for (const url of new Set(pictures)) {
      const response = await fetch(url);
      expect([response.status, response.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image']);
      expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')));
    }
  });
});
