import { NotFoundError } from './errors.js';
import type { Call, CallOptions, Transport, Values } from './transport.js';

/** A list, and how many there are of it. */
export interface ListAnswer {
  total: number;
  total_pages: number;
}

/** Most that a page holds. */
const MOST_PER_PAGE = 50;

/** All items of a list, fetched page by page as they are read. */
export class Items<Item, List extends ListAnswer> implements AsyncIterable<Item> {
  constructor(
    private readonly fetchPage: (page: number) => Promise<List>,
    private readonly itemsOf: (list: List) => Item[],
    private readonly firstPage: number,
  ) {}

  /** The pages, as they are answered. A list that gets shorter meanwhile just ends. */
  async *pages(): AsyncGenerator<List, void, undefined> {
    for (let page = this.firstPage; ; page += 1) {
      let list: List;
      try {
        list = await this.fetchPage(page);
      } catch (error) {
        if (page > this.firstPage && error instanceof NotFoundError) return;
        throw error;
      }
      yield list;
      if (page >= list.total_pages || this.itemsOf(list).length === 0) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const list of this.pages()) yield* this.itemsOf(list);
  }

  /** All of them at once. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}

type PagingFilters = { page?: number; per_page?: number };

/** Reading and writing the items of a collection by id. */
export class Collection<Item, List extends ListAnswer, Filters extends PagingFilters, Fields extends Values, Single extends Values> {
  /** @param path of the collection below the namespace, which is also the key of its lists */
  constructor(
    private readonly transport: Transport,
    private readonly namespace: string,
    private readonly path: keyof List & string,
  ) {}

  protected async call<T>(method: string, below: string, values: Pick<Call, 'query' | 'body'>, options: CallOptions = {}): Promise<T> {
    const path = `/${this.namespace}/${this.path}${below}`;
    return (await this.transport.send<T>({ ...options, method, path, ...values })).body;
  }

  /** One page of the list. */
  list(filters?: Filters, options?: CallOptions): Promise<List> {
    return this.call('GET', '', { query: filters }, options);
  }

  /** All that match, from the page that is asked for on: `for await (const event of client.events.all({ search: 'jazz' }))`. */
  all(filters?: Filters, options?: CallOptions): Items<Item, List> {
    const fetchPage = (page: number): Promise<List> =>
      this.list({ per_page: MOST_PER_PAGE, ...filters, page } as PagingFilters as Filters, options);
    const itemsOf = (list: List): Item[] => list[this.path] as Item[];
    return new Items(fetchPage, itemsOf, filters?.page ?? 1);
  }

  /** @throws NotFoundError (events) or BadRequestError (all others, as upstream) when there is no such item */
  get(id: number, params?: Single, options?: CallOptions): Promise<Item> {
    return this.call('GET', `/${id}`, { query: params }, options);
  }

  create(fields: Fields, options?: CallOptions): Promise<Item> {
    return this.call('POST', '', { body: fields }, options);
  }

  /** Changes the fields that are given. */
  update(id: number, fields: Partial<Fields>, options?: CallOptions): Promise<Item> {
    return this.call('PUT', `/${id}`, { body: fields }, options);
  }

  /** Puts a post into the trash; a term goes for good. @returns what it was */
  delete(id: number, options?: CallOptions): Promise<Item> {
    return this.call('DELETE', `/${id}`, {}, options);
  }
}

/** Events, venues and organizers can also be called by their slugs. */
export class SluggedCollection<
  Item,
  List extends ListAnswer,
  Filters extends PagingFilters,
  Fields extends Values,
  Single extends Values,
> extends Collection<Item, List, Filters, Fields, Single> {
  private bySlug<T>(method: string, slug: string, values: Pick<Call, 'query' | 'body'>, options?: CallOptions): Promise<T> {
    return this.call(method, `/by-slug/${encodeURIComponent(slug)}`, values, options);
  }

  getBySlug(slug: string, params?: Single, options?: CallOptions): Promise<Item> {
    return this.bySlug('GET', slug, { query: params }, options);
  }

  updateBySlug(slug: string, fields: Partial<Fields>, options?: CallOptions): Promise<Item> {
    return this.bySlug('PUT', slug, { body: fields }, options);
  }

  deleteBySlug(slug: string, options?: CallOptions): Promise<Item> {
    return this.bySlug('DELETE', slug, {}, options);
  }
}
