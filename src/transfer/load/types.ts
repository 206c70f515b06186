import type { LinkColumn } from '../../plugins/the-events-calendar/model/linked.js';
import type { Administrator } from './administrator.js';
import type { Registry } from '../../wordpress/types/registry.js';
import type { Settings } from '../settings/settings.js';
import type { SitePlace } from './files.js';

export type LoadMode = 'replace' | 'add';

export interface LoadOptions {
  /** `replace`: replaces the content of the site. `add`: adds to it. */
  mode: LoadMode;
  /** Whether resets still restore the previous content. */
  forOnce?: boolean;
  /** Whether to keep the administrators and passwords of the replaced content if the new content has none. */
  keepsAccounts?: boolean;
  place: SitePlace;
  /** URL of the site, without trailing slash. Links to the source site are rewritten to it. */
  siteUrl: string;
  /** Settings of the site instead of those of the content that replaces it. */
  settings?: Settings;
  /** Creation date of new documents, epoch seconds. */
  now: number;
  /** Application password of the first administrator. */
  adminPassword?: string | undefined;
  /** Receives progress reports. */
  onProgress?: (what: string, done: number, total?: number) => void;
  /** Whether to create venues, organizers and terms that are only mentioned. Default: true. */
  create?: boolean | undefined;
  /** Runs the last step, which changes the site, with exclusive access. */
  alone?: (work: () => Promise<void>) => Promise<void>;
  /** Registry of the site that the content replaces. Default: the one with which its store was opened. */
  registry?: Registry;
  /** Cancels the load. Has no effect once everything is staged. */
  signal?: AbortSignal;
}

export interface LoadResult extends Record<LinkColumn, number> {
  events: number;
  posts: number;
  terms: number;
  users: number;
  files: number;
  /** The administrator, if one was created or given a password. */
  administrator: Administrator | null;
  /** Time at which the clock of the content is frozen, ms since 1970 UTC, or null. */
  clock: number | null;
}
