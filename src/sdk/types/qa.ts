/** Request and response types of the test API (`/__qa`), shared by the server and the client helpers. */

import type { Delay } from '../../base/text/delay.js';
import type { StubResponse } from '../../base/text/stub-file.js';
import type { Json } from '../../base/values/records.js';
import type { DatasetSite } from './dataset.js';
import type { ErrorBody } from './responses.js';

export type { Delay } from '../../base/text/delay.js';
export type { StubResponse } from '../../base/text/stub-file.js';
export type { Json } from '../../base/values/records.js';

/** A type alias, not an interface: TypeScript does not assign interfaces to `Json`. */
export type ClockState = {
  /** ISO 8601. */
  now: string;
  frozen: boolean;
};

export interface Health {
  status: string;
  /** Version of the package. */
  understudy: string;
  url: string;
  namespaces: string[];
  engine: string;
  profile: string;
  /** Release of The Events Calendar that the site emulates. */
  version: string;
  /** Release of its time zone data. */
  zones: string;
  clock: ClockState;
  sandbox?: string;
}

/** Which requests to match. An omitted member matches every request. */
export interface Match {
  method?: string | string[];
  /** Glob: `*` matches within a segment, `**` across segments. */
  path?: string;
  /** Tested against the URL with its query. */
  regex?: string;
  /** Values with `*` as wildcard. After `!`, the value must be another or absent: `'!*'` is absent. */
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string | number | boolean>;
  /** A text for the body as sent, with `*` as wildcard; or members that its JSON or form must have, whose texts may have wildcards. */
  body?: Json;
}

/** Effects on a matching request. All members apply. */
export interface Effect {
  /** Delays the response, in ms. */
  delay?: Delay;
  /** Responds with this status, and the default body for it unless `body` is set. */
  status?: number;
  body?: Json;
  headers?: Record<string, string>;
  /** Drops the connection: before the response, or in the middle of its body. */
  drop?: 'before' | 'mid-body';
  /** Puts a text before the body. */
  prepend?: string;
  /** Limits the rate at which the body is sent. */
  bytesPerSecond?: number;
  /** Cuts off the end of the body: keeps this many bytes, or half of them with `true`. */
  truncate?: number | boolean;
}

/** Which of the matching requests a rule affects. */
export interface FaultSchedule {
  /** Number of matching requests to let through first. */
  skip?: number;
  /** Affects only every nth of the matching requests: with 3, the third, the sixth, and so on. */
  every?: number;
  /** Affects a matching request only with this probability, from 0 to 1. `seed` decides which requests these are. */
  probability?: number;
  /** Number of requests to affect. Default: all. */
  times?: number;
  /** Seed of random delays and of `probability`: the same seed gives the same sequence. Default: the id of the rule. */
  seed?: number;
  /** After the last step of `sequence`: `stop` (default) lets requests through, `repeat` starts over, `stay` repeats the last step. */
  atEnd?: 'stop' | 'repeat' | 'stay';
}

/** Step for one request: an effect, or none. */
export type SequenceStep = Effect | 'ok';

export interface FaultRule extends FaultSchedule {
  match?: Match;
  effect?: Effect;
  /** Instead of `effect`: what happens to one request after the other. */
  sequence?: SequenceStep[];
}

export type FaultProfile = 'rest-disabled' | 'forbidden' | 'maintenance';

/** A rule, or a predefined one instead of `match`, `effect` and `sequence`. */
export type ScenarioRule = FaultRule & { profile?: FaultProfile };

/** Faults that start and stop together. */
export interface FaultScenario {
  /** Description for people. */
  description?: string;
  faults: ScenarioRule[];
}

export interface KnownScenario extends FaultScenario {
  name: string;
  /** Whether every server has it. */
  builtIn: boolean;
  /** Whether it is running. */
  active: boolean;
}

export interface KnownFault extends FaultRule {
  id: number;
  profile?: FaultProfile;
  /** The scenario that it belongs to. */
  scenario?: string;
  /** Number of requests that matched it. */
  seen: number;
  /** Number of requests that it affected. */
  hits: number;
}

/** A response for requests to any route of the site. */
export interface Stub {
  /** Default: every request. */
  match?: Match;
  respond: StubResponse;
  /** Delays the response, in ms. */
  delay?: Delay;
  /** Number of matching requests to let through first. */
  skip?: number;
  /** Number of requests to respond to. Default: all. */
  times?: number;
  /** Rank among matching stubs: the one with the highest priority responds; of these, the one that was added last. Default: 0. */
  priority?: number;
  /** Whether `{{…}}` in texts of `body` and `headers` stand for values of the request. Default: true. */
  template?: boolean;
}

/** A stub that is made of an entry of the journal. */
export interface RecordedStub extends Omit<Stub, 'respond'> {
  /** Id of the entry. The other members override what is recorded. */
  from: number;
  respond?: StubResponse;
}

export interface KnownStub extends Stub {
  id: number;
  /** Whether it belongs to the dataset. */
  dataset?: true;
  /** Number of requests that matched it. */
  seen: number;
  /** Number of requests that it responded to. */
  hits: number;
}

export interface JournalFilter {
  method?: string;
  path?: string;
  /** A text for the body as sent, with `*` as wildcard; or members that its JSON or form must have. */
  body?: Json;
  /** Id of the stub that has responded. */
  stub?: number;
  /** `404`, `4xx`; 0: dropped before the response. */
  status?: number | string;
  /** Id of an entry, or a time (ISO 8601, real time). */
  since?: number | string;
  /** A login; an empty string matches anonymous requests. */
  user?: string;
}

/** Which entries to list. */
export interface ListedEntries extends JournalFilter {
  /** Maximum number of entries: the latest ones. Default: 100. */
  limit?: number;
  /** Only requests with, or without, something that the service silently ignored. */
  warned?: boolean;
  /** Omits headers and bodies. */
  brief?: boolean;
  /** Adds the requests of all sandboxes to the main site's. */
  sandboxes?: boolean;
}

/** A part of a request that the service silently ignored. */
export interface JournalWarning {
  in: 'query' | 'body';
  /** A member of an object is prefixed with the object's name: `venue.nmae`. */
  name: string;
  message: string;
  suggestion?: string;
}

export interface SummedWarning extends JournalWarning {
  method: string;
  route: string;
  count: number;
  /** Ids of the latest entries with this warning. */
  entries: number[];
}

/** A request and its response. */
export interface JournalEntry {
  id: number;
  /** Real time, ISO 8601. */
  at: string;
  /** Time of the site's clock, ISO 8601. */
  clock: string;
  sandbox?: string;
  method: string;
  url: string;
  user: string | null;
  status: number;
  ms: number;
  /** Id of the fault that was applied. */
  fault?: number;
  /** Id of the stub that has responded. */
  stub?: number;
  /** Whether the response came from a proxied site, now or when it was stored. */
  proxied?: 'forwarded' | 'replayed';
  /** Whether the response was cached. */
  cached?: boolean;
  /** How many items a list has found. */
  found?: number;
  /** Whether the bodies were dropped: too large, or too old. */
  cut?: boolean;
  request: { headers: Record<string, Json>; body: Json };
  response: { headers: Record<string, Json>; body: Json };
  warnings?: JournalWarning[];
  /** A curl command that repeats the request, on demand; null if its body was dropped. */
  curl?: string | null;
}

/** A request without a response yet. */
export interface WaitingRequest extends Pick<JournalEntry, 'method' | 'url' | 'fault'> {
  /** How long it has waited, in ms. */
  ms: number;
}

export interface JournalPage {
  /** How many entries match. */
  total: number;
  /** The latest of them, oldest first. */
  entries: JournalEntry[];
  /** The requests that wait for a response, which are no entries yet. */
  waiting: WaitingRequest[];
}

/** An HTTP Archive (HAR 1.2). */
export interface HttpArchive {
  log: { version: string; creator: { name: string; version: string; comment: string }; entries: Record<string, Json>[] };
}

/** The requests that should have been made. Without a count: at least one. */
export interface Expectation extends Match {
  status?: number;
  user?: string | null;
  /** Id of the stub that has responded. */
  stub?: number;
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

/** The events that webhooks are called for. */
export type WebhookEvent =
  | `post.${'created' | 'updated' | 'trashed' | 'restored' | 'deleted'}`
  | `term.${'created' | 'updated' | 'deleted'}`
  | `content.${'reset' | 'seeded' | 'imported' | 'restored'}`;

/** A URL to call when content changes. */
export interface Webhook {
  /** Receives each event as a POST request with a JSON body. */
  url: string;
  /** Key of the signature in `X-Understudy-Signature`. Default: no signature. */
  secret?: string;
  /** Only these events, with `*` as wildcard: `['post.*', 'content.reset']`. Default: all. */
  events?: string[];
  /** Number of retries after a failed delivery. Default: 4. */
  retries?: number;
  /** Timeout of an attempt in ms. Default: 5000. */
  timeout?: number;
  /** Whether to keep it when all webhooks are removed, as before each test. Default: false. */
  keep?: boolean;
}

export interface KnownWebhook extends Required<Omit<Webhook, 'secret'>> {
  id: number;
  /** Whether it has a secret. */
  signed: boolean;
  /** Deliveries that are not finished. */
  pending: number;
}

/** The JSON body of a webhook. */
export interface WebhookBody {
  event: WebhookEvent;
  /** Identifies the delivery, also when it is repeated. */
  delivery: string;
  /** Time of the site's clock, ISO 8601. */
  time: string;
  /** URL of the site. */
  site: string;
  sandbox?: string;
  /** ID of a post or term. */
  id?: number;
  /** Post type or taxonomy. */
  type?: string;
  /** Status of the post. */
  status?: string;
  slug?: string;
  link?: string;
  /** Values of the post or term before an update. */
  previous?: { status?: string; slug: string; link: string };
}

export interface WebhookAttempt {
  /** Real time, ISO 8601. */
  at: string;
  /** Status of the response; null if there was none. */
  status: number | null;
  /** Why there was no response. */
  error?: string;
  ms: number;
}

export interface WebhookDelivery {
  id: string;
  /** Id of the webhook. */
  webhook: number;
  url: string;
  event: WebhookEvent;
  status: 'pending' | 'delivered' | 'failed';
  attempts: WebhookAttempt[];
  body: WebhookBody;
}

/** The deliveries of all webhooks, by status. */
export interface WebhookCounts {
  pending: number;
  delivered: number;
  failed: number;
}

/** Something that differs from a snapshot. */
export interface ContentChange {
  change: 'added' | 'changed' | 'deleted';
  /** `event`, `venue`, `user`, `option`, a taxonomy. */
  kind: string;
  id: number | string;
  title: string;
  /** Names of the fields that changed. */
  fields?: string[];
}

export interface Snapshot {
  name: string;
  /** Real time, ISO 8601. */
  saved: string;
  posts: number;
}

/** A dataset and its files, for `POST /__qa/seed/files`. Contents are base64. */
export interface SentDataset {
  /** The first file replaces all content, the others are added. `folder`: the folder of the file, for messages. */
  dataset: { name: string; folder?: string; content: string }[];
  /** Files of the media library by path below `uploads`. */
  uploads?: Record<string, string>;
  /** Files that stubs respond with, by path below `stubs`. */
  stubs?: Record<string, string>;
  /** Whether optional files may be missing. */
  partial?: boolean;
}

export interface Seeded {
  seeded: true;
  posts: number;
  terms: number;
  users: number;
  /** Login of the administrator whose password is the server's. */
  administrator: string | null;
  /** Probable mistakes, omissions, choices and changes, one sentence each. */
  warnings: string[];
  ms: number;
}

export interface SandboxState {
  name: string;
  url: string;
  restUrl: string;
  idleSeconds: number;
  profile: string;
  /** Release of The Events Calendar that the sandbox emulates. */
  version: string;
  /** Release of WordPress that the sandbox emulates. */
  wordpress: string;
  /** Release of its time zone data. */
  zones: string;
  clock: ClockState;
}

/** A release that a site emulates. */
export interface EmulatedRelease {
  release: string;
  /** The release that a reset restores. */
  start: string;
  /** The releases whose responses were recorded, newest first. */
  recorded: string[];
}

type Settings = Required<NonNullable<DatasetSite['settings']>>;

/** The settings of a site, by the names in `site.settings` of datasets. Pages are named by their slugs; null: none. */
export type SiteSettings = { [Name in keyof Settings]: Settings[Name] | (Name extends 'front_page' | 'posts_page' ? null : never) };

/** Settings to change; null: as on a new site. */
export type SettingsToSet = { [Name in keyof Settings]?: Settings[Name] | null | undefined };

/** The profile and releases that a site emulates. `version`, `start` and `recorded` are about The Events Calendar. */
export interface SiteReleases {
  profile: string;
  /** Release of The Events Calendar. */
  version: string;
  /** Release of WordPress. */
  wordpress: string;
  /** By name: `wordpress`, and the plugins. */
  releases: Record<string, EmulatedRelease>;
  /** Release of the time zone data. */
  zones: string;
  /** The release that a reset restores. */
  start: string;
  /** The releases whose responses were recorded, newest first. */
  recorded: string[];
}

/** Errors of the test API have the same shape as WordPress errors. */
export type QaErrorBody = ErrorBody;
