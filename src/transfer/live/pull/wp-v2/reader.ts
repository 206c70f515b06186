import { isRecord, membersOf } from '../../../../base/values/records.js';
import { ATTACHMENT } from '../../../../wordpress/model.js';
import type { Fetcher } from '../fetch.js';
import { recordOf, type CoreItem } from './item.js';
import { findList, itemsOf, someOf, type CoreList, type ListKind } from './lists.js';
import type { Schemas, TaxonomyOnSite, TypeOnSite } from './types.js';

/** An item with the stored texts that it has in another context. */
const withRaw = (item: CoreItem, other: CoreItem | undefined): CoreItem =>
  other === undefined
    ? item
    : { ...item, ...Object.fromEntries(['title', 'content'].map((name) => [name, { ...recordOf(other, name), ...recordOf(item, name) }])) };

/** Reads the types, taxonomies, lists and schemas of `wp/v2`, by the names of post types and taxonomies. */
export class SiteReader {
  types: TypeOnSite[] = [];
  taxonomies: TaxonomyOnSite[] = [];
  private readonly lists = new Map<string, CoreList>();
  private readonly schemas = new Map<string, Schemas>();

  constructor(readonly fetcher: Fetcher) {}

  /** Reads what is registered. */
  async prepare(): Promise<void> {
    this.types = await this.registered<TypeOnSite>('types');
    this.taxonomies = await this.registered<TaxonomyOnSite>('taxonomies');
  }

  /** Post types or taxonomies, with what users see who may edit. */
  private async registered<T extends { slug: string }>(route: string): Promise<T[]> {
    const { status, json } = await this.fetcher.get<Record<string, T>>(`wp/v2/${route}`);
    if (status !== 200 || !isRecord<T>(json)) return [];
    const editing = this.fetcher.options.signedIn ? await this.fetcher.get<Record<string, T>>(`wp/v2/${route}`, { context: 'edit' }) : null;
    const more = editing?.status === 200 ? editing.json : {};
    return Object.entries(json).map(([name, each]) => ({ ...each, ...more[name] }));
  }

  /** The last segment of a path. */
  baseOf(name: string): string {
    if (name === ATTACHMENT) return 'media';
    return [...this.types, ...this.taxonomies].find(({ slug }) => slug === name)?.rest_base ?? name;
  }

  /** How a list can be read. */
  async listOf(name: string, kind: ListKind = 'posts'): Promise<CoreList> {
    const known = this.lists.get(name) ?? (await findList(this.fetcher, `wp/v2/${this.baseOf(name)}`, kind));
    this.lists.set(name, known);
    return known;
  }

  async *items(name: string, kind: ListKind = 'posts'): AsyncGenerator<CoreItem> {
    const [route, list] = [`wp/v2/${this.baseOf(name)}`, await this.listOf(name, kind)];
    const isEmbedded = kind === 'posts' && list.query !== null && list.query['context'] === undefined && (await this.embedsRaw(name));
    if (!isEmbedded) return yield* itemsOf(this.fetcher, route, list);
    const embedded = new Map<number, CoreItem>();
    const query = { ...list.query, context: 'embed' };
    for await (const item of itemsOf(this.fetcher, route, { ...list, query })) embedded.set(item.id, item);
    for await (const item of itemsOf(this.fetcher, route, list)) yield withRaw(item, embedded.get(item.id));
  }

  /** WP: visitors see the stored texts of navigations where these are embedded. */
  private async embedsRaw(name: string): Promise<boolean> {
    const raw = membersOf(membersOf(membersOf((await this.schemaOf(name))['content'])?.['properties'])?.['raw']);
    return Array.isArray(raw?.['context']) && raw['context'].includes('embed');
  }

  /** The schema of objects; empty if the site does not show it. */
  async schemaOf(name: string): Promise<Schemas> {
    const known = this.schemas.get(name);
    if (known) return known;
    const { json } = await this.fetcher.ask<unknown>(`wp/v2/${this.baseOf(name)}`, {}, { method: 'OPTIONS' });
    const properties = membersOf(membersOf(membersOf(json)?.['schema'])?.['properties']) ?? {};
    const found = Object.fromEntries(Object.entries(properties).filter(([, schema]) => isRecord(schema))) as Schemas;
    this.schemas.set(name, found);
    return found;
  }

  /** Some items: the first page of a list. */
  async some(name: string, kind: ListKind = 'posts'): Promise<CoreItem[]> {
    return someOf(this.fetcher, `wp/v2/${this.baseOf(name)}`, await this.listOf(name, kind));
  }

  /** Whether the objects of a list are shown as to who may edit them. */
  isEditing(name: string): boolean {
    return this.lists.get(name)?.query?.['context'] === 'edit';
  }
}
