import { ACKNOWLEDGEMENT } from '../../../../src/tec-v1/routes.js';
import { type Answer } from '../../../support/toy.js';
import type { Api, Login } from '../../../support/api.js';
import type { ErrorBody, Event, EventList, TagList, Venue } from '../../../../src/types/responses.js';

/** What a proof has to ask with. */
export interface Ask extends Api {
  /** Sends a request exactly as written, and shows the answer as it came. */
  raw: (route: string, options?: { headers?: Record<string, string>; body?: string }) => Promise<Answer>;
  /** Asks for an address of the site. */
  page: (path: string) => Promise<Answer>;
}

/** One question to the server, and the two answers to it. */
export interface Proof<T = unknown> {
  ask: (ask: Ask) => Promise<T>;
  plugin: T;
  documented: T;
  /** It changes things, so the next one needs the dataset anew. */
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

/** A published event of the author's own; its id. */
export const newEvent = async ({ post }: Ask, body: object, as: Login = 'admin'): Promise<{ status: number; body: Event }> =>
  post<Event>('events', { title: 'New', ...DATES, ...body }, as);

export const ids = async ({ get }: Ask, ...slugs: string[]): Promise<number[]> =>
  Promise.all(slugs.map(async (slug) => (await get<Venue>(`venues/by-slug/${slug}`)).body.id));

export const tagId = async ({ get }: Ask, slug: string): Promise<number> =>
  (await get<TagList>(`tags?hide_empty=0&slug=${slug}`)).body.tags[0].id;

/** The lines of a calendar file that begin so, and its type if it is none. */
export const lines = async ({ page }: Ask, path: string, ...names: string[]): Promise<string[]> => {
  const { text, headers } = await page(path);
  const type = headers['content-type']?.split(';')[0];
  return type === 'text/calendar' ? text.split('\r\n').filter((line) => names.some((name) => line.startsWith(name))) : [type ?? ''];
};

export const IN_ENGLISH = 'Title of the event.';

/** How an index describes the title of an event. */
export const described = (index: unknown): string | undefined =>
  Object.entries((index as { routes: Record<string, { endpoints: { args: Record<string, { description?: string }> }[] }> }).routes)
    .find(([route]) => route.endsWith('/events'))?.[1]
    .endpoints.at(-1)?.args.title.description;

/** A request to `tec/v1` with what it wants acknowledged: status and id of the item that is answered, total of the list. */
export const newer = async ({ call }: Ask, method: string, route: string, as?: Login, body?: object) => {
  const answer = await call<{ id: number; status: string }>(method, `/tec/v1/${route}`, {
    ...(as && { as }),
    ...(body && { body }),
    headers: { 'x-tec-eea': ACKNOWLEDGEMENT },
  });
  return { body: answer.body, total: answer.headers.get('x-wp-total') };
};
