import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { WORLD, type Login } from '../support/api.js';

/** Both profiles: the default, and the plugin's behavior. */
export const PROFILES = ['standard', 'tec'] as const;

const { users } = JSON.parse(readFileSync(WORLD, 'utf8')) as { users: { login: Login; application_password: string }[] };

/** Login and application password of a user of the recorded site, in the form that clients expect. */
export function credentials(login: Login): { username: string; password: string } {
  const user = users.find((one) => one.login === login);
  if (!user) throw new Error(`The world has no user ${login}.`);
  return { username: login, password: user.application_password };
}

/** A PNG of 320 by 240 pixels. */
export const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: '#357' } })
    .png()
    .toBuffer();

/** The ids of a list in ascending order, repeated ones included. */
export const ascending = (items: readonly { id: number }[]): number[] => items.map(({ id }) => id).toSorted((a, b) => a - b);

/** Text fields of `wp/v2`. */
interface Rendered {
  raw?: string;
  rendered?: string;
}

/** Fields of a `wp/v2` post that the tests check. */
export interface WpPost {
  id: number;
  slug: string;
  status: string;
  title: Rendered;
  content: Rendered;
  featured_media: number;
  source_url: string;
  alt_text: string;
  media_details: { width: number; sizes: Record<string, unknown> };
  tags: number[];
  _embedded?: Record<string, { id: number; name?: string; source_url?: string }[]>;
}

/** Fields of a `wp/v2` term that the tests check. */
export interface WpTerm {
  id: number;
  name: string;
  slug: string;
  count: number;
  parent: number;
}

/** Fields of a calendar event that the tests check. */
export interface CalendarEvent {
  id: number;
  title: string;
  slug: string;
  status: string;
  start_date: string;
  cost: string;
  image: false | { id: number; url: string; sizes: Record<string, { url: string }> };
  venue: { id: number; venue: string } | [];
  organizer: { id: number; organizer: string }[];
  categories: WpTerm[];
  tags: WpTerm[];
}

/** A page of the calendar's list of events. */
export interface EventList {
  events: CalendarEvent[];
  total: number;
  total_pages: number;
  next_rest_url?: string;
}

/** The response to a forced deletion. */
export interface Deleted<T> {
  deleted: boolean;
  previous: T;
}
