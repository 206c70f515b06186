import { NotFoundError } from './errors.js';
import type { Call, CallOptions, Transport, Values } from './transport.js';

/** The totals of a list. */
export interface ListTotals {
  total: number;
  total_pages: number;
}

/** Maximum page size. */
const MAX_PER_PAGE = 50;

/** All items of a list. Pages are fetched lazily during iteration. */
export class Items<Item, List extends ListTotals> implements AsyncIterable<Item> {
  constructor(
    private readonly fetchPage: (page: number) => Promise<List>,
    private readonly itemsOf: (list: List) => Item[],
    private readonly firstPage: number,
  ) {}

  /** Iterates over the pages. If the list gets shorter in the meantime, the iteration ends early. */
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
      // A page may be empty although others follow: attendees of deleted tickets count, but are not shown.
      if (!(page < list.total_pages)) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const list of this.pages()) yield* this.itemsOf(list);
  }

  /** Fetches all items. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}

type PagingFilters = { page?: number; per_page?: number };

/** By-id routes of collections other than events have no parameters besides the id. */
export type NoParams = Record<string, never>;

/** Values that a call sends, and the namespace. Default: the namespace of the collection. */
type CallValues = Pick<Call, 'query' | 'body'> & { namespace?: string };

/** Reads the items of a collection by id. */
export class ReadableCollection<Item, List extends ListTotals, Filters extends PagingFilters, Single extends Values> {
  /** @param path path of the collection below the namespace, also the key of its lists */
  constructor(
    private readonly transport: Transport,
    private readonly namespace: string,
    private readonly path: keyof List & string,
  ) {}

  protected async call<T>(
    method: string,
    below: string,
    { namespace = this.namespace, ...values }: CallValues,
    options: CallOptions = {},
  ): Promise<T> {
    const path = `/${namespace}/${this.path}${below}`;
    const item = below === '' ? undefined : below.startsWith('/by-slug/') ? 'slug' : 'id';
    return (await this.transport.send<T>({ ...options, method, path, item, ...values })).body;
  }

  /** Fetches one page of the list. */
  list(filters?: Filters, options?: CallOptions): Promise<List> {
    return this.call('GET', '', { query: filters }, options);
  }

  /** All matching items, starting from the requested page: `for await (const event of client.events.all({ search: 'jazz' }))`. */
  all(filters?: Filters, options?: CallOptions): Items<Item, List> {
    const fetchPage = (page: number): Promise<List> =>
      this.list({ per_page: MAX_PER_PAGE, ...filters, page } as PagingFilters as Filters, options);
    const itemsOf = (list: List): Item[] => Object.values(list[this.path] as Record<string, Item>);
    return new Items(fetchPage, itemsOf, filters?.page ?? 1);
  }

  /** @throws NotFoundError if the item does not exist. TEC: its `status` is 404 for events, tickets and attendees, and 400 for other items */
  get(id: number, params?: Single, options?: CallOptions): Promise<Item> {
    return this.call('GET', `/${id}`, { query: params }, options);
  }
}

/** Reads and writes the items of a collection by id. */
export class Collection<
  Item,
  List extends ListTotals,
  Filters extends PagingFilters,
  Fields extends Values,
  Single extends Values,
> extends ReadableCollection<Item, List, Filters, Single> {
  create(fields: Fields, options?: CallOptions): Promise<Item> {
    return this.call('POST', '', { body: fields }, options);
  }

  /**
   * Updates an item. Fields that are not sent stay unchanged, with one exception. TEC: an update of an event resets its status,
   * publication date, time zone, cost, image and flags (`all_day`, `featured`, `hide_from_listings`, `show_map`, `show_map_link`) unless
   * they are sent.
   */
  update(id: number, fields: Partial<Fields>, options?: CallOptions): Promise<Item> {
    return this.call('PUT', `/${id}`, { body: fields }, options);
  }

  /** Moves a post to the trash; deletes a term permanently. @returns the deleted item */
  delete(id: number, options?: CallOptions): Promise<Item> {
    return this.call('DELETE', `/${id}`, {}, options);
  }
}

/** Collections whose items also have routes by slug: events, venues and organizers. */
export class SluggedCollection<
  Item,
  List extends ListTotals,
  Filters extends PagingFilters,
  Fields extends Values,
  Single extends Values,
> extends Collection<Item, List, Filters, Fields, Single> {
  private bySlug<T>(method: string, slug: string, values: Pick<Call, 'query' | 'body'>, options?: CallOptions): Promise<T> {
    return this.call(method, `/by-slug/${encodeURIComponent(slug)}`, values, options);
  }

  /** @throws NotFoundError if the item does not exist, or is the child of a series. TEC: its `status` is 400 */
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
