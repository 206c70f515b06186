import type { CheckRequest, Samples, SiteSamples, Side } from './requests.js';

declare module '../../../plugins/plugin.js' {
  interface MovingContent {
    check?: CheckPart;
  }
}

/** Compares what a plugin adds to sites. */
export interface CheckPart {
  /** The name of items that only some users get, such as `attendees`, if the login is one of them; null otherwise. */
  managed?: (found: SiteSamples) => string | null;
  /** Reads its content on the live site. */
  read: (side: Side, found: SiteSamples, progress: (what: string, done: number) => void) => Promise<CheckedContent>;
}

/** The content of a plugin on the live site. */
interface CheckedContent {
  /** Values for parameters of the list of events. */
  eventSamples?: Samples;
  /** Yields the requests for it. @param most maximum number of single items of each kind; 0: all @param manages whether both sides show what is managed */
  requests: (most: number, manages: boolean) => Iterable<CheckRequest>;
}
