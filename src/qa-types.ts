/** What the test surface takes and answers: of the server, and of the helpers that speak to it. */

import type { ErrorBody } from './types.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A type and not an interface: only such is taken for JSON. */
export type ClockState = {
  /** ISO 8601. */
  now: string;
  frozen: boolean;
};

export interface Health {
  status: string;
  url: string;
  namespaces: string[];
  engine: string;
  clock: ClockState;
  sandbox?: string;
}

/** Which requests are meant. What is not said holds for all. */
export interface Match {
  method?: string | string[];
  /** `*` within a segment, `**` across them. */
  path?: string;
  /** Of the address with its query. */
  regex?: string;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string | number | boolean>;
}

/** Milliseconds, or a distribution of them. */
export type Delay =
  | number
  | { fixed: number }
  | { uniform: [number, number] }
  | { normal: { mean: number; deviation: number } }
  | { lognormal: { median: number; sigma: number } };

/** What is done to a request. All that is given is done. */
export interface Effect {
  /** Holds the answer back, ms. */
  delay?: Delay;
  /** Answers with this status, with the service's own body unless `body` is given. */
  status?: number;
  body?: Json;
  headers?: Record<string, string>;
  /** Drops the connection: before anything is answered, or in the middle of the body. */
  drop?: 'before' | 'mid-body';
  /** Sends the body no faster than this. */
  bytesPerSecond?: number;
  /** Leaves out the end of the body: keeps so many bytes, or with true half of it. */
  truncate?: number | boolean;
}

export interface FaultRule {
  match?: Match;
  /** How many requests it is for; all when absent. */
  times?: number;
  /** How many requests that match pass before. */
  skip?: number;
  /** Seed of the delays that are left to chance. */
  seed?: number;
  effect: Effect;
}

export type FaultProfile = 'rest-disabled' | 'forbidden' | 'maintenance';

export interface KnownFault extends FaultRule {
  id: number;
  profile?: FaultProfile;
  /** How many requests it was done to. */
  hits: number;
}

export interface JournalFilter {
  method?: string;
  path?: string;
  /** `404`, `4xx`; 0: dropped before an answer. */
  status?: number | string;
  /** Number of an entry, or a moment (ISO 8601, real time). */
  since?: number | string;
  /** A login; an empty text: nobody signed in. */
  user?: string;
}

/** Something in a request that the service passed over in silence. */
export interface JournalWarning {
  in: 'query' | 'body';
  /** Of a member of an object with the object's name: `venue.nmae`. */
  name: string;
  message: string;
  suggestion?: string;
}

export interface SummedWarning extends JournalWarning {
  method: string;
  route: string;
  count: number;
  /** The last entries that it was found in. */
  entries: number[];
}

/** A request and its answer. */
export interface JournalEntry {
  id: number;
  /** Real time, and the time of the site; ISO 8601. */
  at: string;
  clock: string;
  sandbox?: string;
  method: string;
  url: string;
  user: string | null;
  status: number;
  ms: number;
  /** Number of the fault that was made. */
  fault?: number;
  cut?: boolean;
  request: { headers: Record<string, Json>; body: Json };
  response: { headers: Record<string, Json>; body: Json };
  warnings?: JournalWarning[];
}

/** How often what was to be asked: at least once when nothing is said. */
export interface Expectation extends Match {
  status?: number;
  user?: string | null;
  /** Members that the JSON body has to have. */
  body?: Json;
  count?: number;
  atLeast?: number;
  atMost?: number;
}

export interface Verdict {
  verified: boolean;
  expected: string;
  found: number;
  entries: number[];
  nearMisses: { entry: number; method: string; url: string; differences: string[] }[];
}

export interface Snapshot {
  name: string;
  /** Real time, ISO 8601. */
  saved: string;
  posts: number;
}

export interface Seeded {
  seeded: true;
  posts: number;
  terms: number;
  users: number;
  ms: number;
}

export interface SandboxState {
  name: string;
  url: string;
  restUrl: string;
  idleSeconds: number;
  clock: ClockState;
}

/** A refusal of the test surface has the form of any other. */
export type QaRefusal = ErrorBody;
