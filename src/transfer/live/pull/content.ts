import type { CostFormat } from '../../../plugins/the-events-calendar/model/cost.js';
import type { Event } from '../../../sdk/types/responses.js';
import type { Post } from '../../../wordpress/model.js';
import type { Fetcher } from './fetch.js';
import type { CorePost, Summary } from './summary.js';

declare module '../../../plugins/plugin.js' {
  interface MovingContent {
    pull?: PullPart;
  }
}

/** Copies what a plugin adds to a live site. */
export interface PullPart {
  /** @param options.keepsPeople whether names and email addresses stay as they are */
  open: (fetcher: Fetcher, summary: Summary, options: { keepsPeople: boolean }) => PulledContent;
  /** Meta of events that `wp/v2` shows. */
  eventMeta?: readonly string[];
  /** How the site shows the cost of an event; null: as the calendar does. */
  costOf?: (event: Event) => CostFormat | null;
}

/** The content of a plugin on a live site. */
export interface PulledContent {
  /** Fetches everything. Called when the events are known. @param core the posts of `wp/v2`, by id */
  prepare: (core: ReadonlyMap<number, CorePost>) => Promise<void>;
  /** Notes an event. Called for all of them before `posts`. @param single the response of its single route, if requested */
  noteEvent?: (event: Event, single: Event | undefined) => void;
  posts: () => AsyncGenerator<Post>;
  /** Items that were copied in another form, or not at all, one sentence each. */
  notes?: () => string[];
  /** Whether people have other names and email addresses in the copy. Users may be among them. */
  readonly disguises?: boolean;
}
