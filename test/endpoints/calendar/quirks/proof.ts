import { ACKNOWLEDGEMENT } from '../../../../src/plugins/the-events-calendar/tec-v1/routes.js';
import { type Answer } from '../../../support/toy.js';
import type { Api, Login } from '../../../support/api.js';
import type { ErrorBody, Event, EventList, TagList, Venue } from '../../../../src/sdk/types/responses.js';

/** An uploaded file, as in a response. */
interface Upload {
  id: number;
  media_details: { image_meta?: object };
  _links: object;
}

/** How a proof sends requests. */
export interface Ask extends Api {
  /** Sends a request exactly as written, and returns the raw response. */
  raw: (route: string, options?: { headers?: Record<string, string>; body?: string }) => Promise<Answer>;
  /** Uploads a file as an administrator, with parameters in a query. */
  upload: (file: Buffer, name: string, query?: Record<string, string>) => Promise<Upload>;
  /** Requests a page of the site. */
  page: (path: string) => Promise<Answer>;
}

/** A request, and its response with the quirk on and off. */
export interface Proof<T = unknown> {
  ask: (ask: Ask) => Promise<T>;
  plugin: T;
  documented: T;
  /** The request changes content, so the dataset is reset afterwards. */
  writes?: true;
}

export const proof = <T>(given: Proof<T>): Proof => given;

export const slugsOf = async ({ get }: Ask, query: string, as?: Login): Promise<string[]> =>
  (await get<EventList>(`events?per_page=50&${query}`, as)).body.events.map(({ slug }) => slug);

export const event = async ({ get }: Ask, slug: string, as?: Login): Promise<Event> =>
  (await get<Event>(`events/by-slug/${slug}`, as)).body;

export const outcome = (status: number, { code }: { code?: string }): string => (code === undefined ? `${status}` : `${status} ${code}`);

export const tried = async ({ call }: Ask, method: string, route: string, as?: Login, body?: unknown): Promise<string> => {
  const answer = await call<ErrorBody>(method, route, { ...(as && { as }), ...(body !== undefined && { body }) });
  return outcome(answer.status, answer.body);
};

export const DATES = { start_date: '2026-11-10 10:00:00', end_date: '2026-11-10 11:00:00' };

/** Publishes an event of the given author. Returns its id. */
export const newEvent = async ({ post }: Ask, body: object, as: Login = 'admin'): Promise<{ status: number; body: Event }> =>
  post<Event>('events', { title: 'New', ...DATES, ...body }, as);

export const ids = async ({ get }: Ask, ...slugs: string[]): Promise<number[]> =>
  Promise.all(slugs.map(async (slug) => (await get<Venue>(`venues/by-slug/${slug}`)).body.id));

export const tagId = async ({ get }: Ask, slug: string): Promise<number> =>
  (await get<TagList>(`tags?hide_empty=0&slug=${slug}`)).body.tags[0].id;

/** The lines of an iCalendar file that start with one of the names, or the content type of another response. */
export const lines = async ({ page }: Ask, path: string, ...names: string[]): Promise<string[]> => {
  const { text, headers } = await page(path);
  const type = headers['content-type']?.split(';')[0];
  return type === 'text/calendar' ? text.split('\r\n').filter((line) => names.some((name) => line.startsWith(name))) : [type ?? ''];
};

export const IN_ENGLISH = 'Title of the event.';

/** The description of an event's title in an index. */
export const described = (index: unknown): string | undefined =>
  Object.entries((index as { routes: Record<string, { endpoints: { args: Record<string, { description?: string }> }[] }> }).routes)
    .find(([route]) => route.endsWith('/events'))?.[1]
    .endpoints.at(-1)?.args.title.description;

/** A request to `tec/v1` with the acknowledgement header. Returns status and id of the returned item, or the total of a list. */
export const newer = async ({ call }: Ask, method: string, route: string, as?: Login, body?: object) => {
  const answer = await call<{ id: number; status: string }>(method, `/tec/v1/${route}`, {
    ...(as && { as }),
    ...(body && { body }),
    headers: { 'x-tec-eea': ACKNOWLEDGEMENT },
  });
  return { body: answer.body, total: answer.headers.get('x-wp-total') };
};
