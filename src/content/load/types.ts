import type { LinkColumn } from '../../tec/linked.js';
import type { Administrator } from './administrator.js';
import type { SitePlace } from './files.js';

export type LoadMode = 'replace' | 'add';

export interface LoadOptions {
  /** `replace`: the site then holds exactly this. `add`: it is added to what is there. */
  mode: LoadMode;
  /** Whether a reset goes back to what was loaded before, and not to what replaces it. */
  forOnce?: boolean;
  /** Whether administrators and passwords of a site that is replaced stay, where the content has none. */
  keepsAccounts?: boolean;
  place: SitePlace;
  /** Address of the site, without trailing slash: links to where the content comes from become links to it. */
  siteUrl: string;
  /** Epoch seconds, for what is created on the way. */
  now: number;
  /** Application password of the administrator that is created when nobody else is one. */
  adminPassword?: string | undefined;
  /** Called now and then. */
  onProgress?: (what: string, done: number, total?: number) => void;
  /** Runs the last step, which changes the site, while nobody else uses it. */
  alone?: (work: () => Promise<void>) => Promise<void>;
  /** Cancels the load. Has no effect once all is staged. */
  signal?: AbortSignal;
}

export interface LoadResult extends Record<LinkColumn, number> {
  events: number;
  /** All posts, whatever their type. */
  posts: number;
  terms: number;
  users: number;
  files: number;
  /** The administrator that was created, if one was. */
  administrator: Administrator | null;
  /** The moment that the content is about, ms since 1970, or null. */
  clock: number | null;
}
