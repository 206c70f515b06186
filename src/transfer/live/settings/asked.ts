import { ACKNOWLEDGED } from '../../../plugins/the-events-calendar/tec-v1/routes.js';
import { isRecord } from '../../../base/values/records.js';
import { routeUrl, type SiteClient, type Query, type SiteResponse } from '../client/client.js';
import type { LiveSite } from '../client/find.js';
import type { CoreItem } from '../pull/wp-v2/item.js';

/** A live site that is asked for its settings. No request is sent twice. */
export class Asked {
  private readonly responses = new Map<string, Promise<SiteResponse>>();

  constructor(
    private readonly client: SiteClient,
    readonly live: LiveSite,
  ) {}

  /** A page or a file of the site, after redirects. */
  page(url: string): Promise<SiteResponse> {
    const known = this.responses.get(url) ?? this.client.fetch(url, { headers: ACKNOWLEDGED });
    this.responses.set(url, known);
    return known;
  }

  /** The HTML of a page of the site; `''` if there is none. */
  async html(url: string): Promise<string> {
    if (url === '') return '';
    const { status, text } = await this.page(url);
    return status === 200 ? text : '';
  }

  rest(route: string, query: Query = {}): Promise<SiteResponse> {
    return this.page(routeUrl(this.live.root, route, query));
  }

  /** An object that a route shows; null if it shows none. */
  async object(route: string, query: Query = {}): Promise<Readonly<Record<string, unknown>> | null> {
    const { status, json } = await this.rest(route, query);
    return status === 200 && isRecord(json) ? json : null;
  }

  /** The first items of a list, none if it shows none. */
  async items(route: string, query: Query = {}): Promise<CoreItem[]> {
    const { status, json } = await this.rest(route, query);
    return status === 200 && Array.isArray(json)
      ? json.filter((item): item is CoreItem => isRecord(item) && typeof item['id'] === 'number')
      : [];
  }
}
