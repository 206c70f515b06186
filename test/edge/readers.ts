import type { Api, Login } from '../support/api.js';
import type { ErrorBody, Event, EventList, Venue } from '../../src/sdk/types/responses.js';

/** A start before all events removes the default time window. */
export const ALL = 'starts_after=1000-01-01&per_page=50';

/** Readers of single items and lists, by default under profile `tec`. */
export function readersOf(tec: Api) {
  const event = async (slug: string, as?: Login, api = tec): Promise<Event> => {
    const { status, body } = await api.get<Event>(`events/by-slug/${slug}`, as);
    expect({ slug, status }).toEqual({ slug, status: 200 });
    return body;
  };

  const list = async (query: string, as?: Login, api = tec): Promise<EventList> => {
    const { status, body } = await api.get<EventList>(`events?${query}`, as);
    expect({ query, status }).toEqual({ query, status: 200 });
    return body;
  };

  const slugs = async (query: string, as?: Login, api = tec): Promise<string[]> =>
    (await list(query, as, api)).events.map(({ slug }) => slug);

  const venue = async (slug: string, query = '', api = tec): Promise<Venue> =>
    (await api.get<Venue>(`venues/by-slug/${slug}${query}`)).body;

  const refusal = async (route: string, as?: Login): Promise<[status: number, code: string]> => {
    const { status, body } = await tec.get<ErrorBody>(route, as);
    return [status, body.code];
  };

  return { event, list, slugs, venue, refusal };
}
