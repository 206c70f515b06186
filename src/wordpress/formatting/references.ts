import type { Comment, Post, Term, User } from '../model.js';
import type { Options } from '../options.js';
import type { PostQuery } from '../query/post-query.js';
import type { TermQuery } from '../query/term-query.js';
import { WORDPRESS, type QuirkName } from '../quirks.js';
import { Counters } from './block-parts/counters.js';
import type { Attributes, ThemeName } from './block-parts/types.js';

/** The block of a plugin that is rendered when it is shown. */
export type DynamicBlock = (attributes: Attributes, references: References) => string;

/** Terms with all that are above them. */
interface KnownTerms {
  readonly terms: readonly Term[];
  readonly known: Map<number, Term>;
}

/** Questions that texts may ask, and the answers: blocks show lists of other content. */
export interface Questions {
  posts: { ask: PostQuery; get: { readonly posts: readonly Post[]; readonly total: number } };
  terms: { ask: TermQuery; get: KnownTerms };
  termIds: { ask: readonly number[]; get: KnownTerms };
  post: { ask: number; get: Post | null };
  user: { ask: number; get: User | null };
  /** The newest comments of published posts, with these. */
  comments: { ask: number; get: readonly { readonly comment: Comment; readonly post: Post }[] };
  /** The number of approved comments of a post. */
  commentCount: { ask: number; get: number };
  /** The number of published posts with any term of the branch of each of these terms. */
  branches: { ask: readonly number[]; get: ReadonlyMap<number, number> };
  /** When the published posts of a type were published, the newest first. */
  dates: { ask: string; get: readonly string[] };
}

export type Ask = <Kind extends keyof Questions>(kind: Kind, question: Questions[Kind]['ask']) => Questions[Kind]['get'];

const NOTHING: { readonly [Kind in keyof Questions]: Questions[Kind]['get'] } = {
  posts: { posts: [], total: 0 },
  terms: { terms: [], known: new Map() },
  termIds: { terms: [], known: new Map() },
  post: null,
  user: null,
  comments: [],
  commentCount: 0,
  branches: new Map(),
  dates: [],
};

/** Answers that there is nothing. */
export const askNothing: Ask = (kind) => NOTHING[kind];

/** Answers from what was loaded, by `questionKey`. */
export const askLoaded =
  (answers: ReadonlyMap<string, unknown>): Ask =>
  <Kind extends keyof Questions>(kind: Kind, question: Questions[Kind]['ask']) =>
    (answers.get(questionKey(kind, question)) as Questions[Kind]['get'] | undefined) ?? NOTHING[kind];

export const questionKey = (kind: keyof Questions, question: unknown): string => `${kind} ${JSON.stringify(question)}`;

/** Facts of a site that its texts show. */
export interface SiteFacts {
  /** Without a slash at the end. */
  readonly url: string;
  readonly coreUrl: string;
  readonly options: Options;
  /** The date in site time, `YYYY-MM-DD`. */
  today: () => string;
  /** A local time with its offset: `2026-06-15T08:00:00-04:00`. */
  iso(local: string): string;
  authorUrl(user: User): string;
  termUrl(term: Term, known: Map<number, Term>): string;
  /** The page of a year, month or day, such as `2026-06`. */
  datesUrl(date: string): string;
  /** The page that lists a post type, and its name; null if there is none. */
  archive(type: string): { readonly url: string; readonly label: string } | null;
  avatarUrl(address: string, size: number): string;
  /** The classes of a post. WP: `post_class`. */
  classesOf(post: Post, terms: readonly Term[]): readonly string[];
  taxonomy(name: string): { readonly label: string; readonly singular: string; readonly isHierarchical: boolean } | null;
  taxonomiesOf(type: string): readonly string[];
  /** Meta that the REST API shows; undefined for any other. */
  meta(post: Post, key: string): string | undefined;
  /** The current time in UTC, `YYYY-MM-DD HH:MM:SS`. */
  now: () => string;
  /** The excerpt of a post. @param words of one that is made from its content */
  excerpt(post: Post, words?: number): string;
  content(post: Post, references: References): string;
}

/** The content that a text may refer to, loaded before the text is rendered. */
export interface References {
  /** Rendering differences of the release of WordPress from the newest one. */
  readonly quirks: ReadonlySet<QuirkName>;
  /** The release of WordPress. */
  readonly release: string;
  readonly theme: ThemeName;
  /** Address of the folder of uploaded files, without a slash at the end. */
  readonly uploadsUrl: string;
  /** The blocks of plugins that are rendered when they are shown, by name. */
  readonly blocks: ReadonlyMap<string, DynamicBlock>;
  readonly attachment: (id: number) => Post | undefined;
  /** The attachments of a post in their order. Unattached ones have the parent 0. */
  readonly attachedTo: (id: number) => readonly Post[];
  /** The pattern with a number, if it is published and without a password. */
  readonly pattern: (id: number) => Post | undefined;
  readonly ask: Ask;
  /** The patterns that contain the text. */
  readonly shownPatterns?: readonly number[];
  /** Address of the page of a post or an attachment. */
  readonly linkTo: (post: Post) => string;
  readonly site: SiteFacts | null;
  /** The post of the text. TEC: none in its API. */
  readonly post: Post | undefined;
  readonly counters: Counters;
  /** The address that was requested, with its query, and who asked. */
  readonly request: { readonly url: string; readonly isSignedIn: boolean };
}

/** For texts without loaded references, as the newest release of WordPress shows them. */
export const NO_REFERENCES: References = {
  quirks: new Set(),
  release: WORDPRESS.releases[0] ?? '',
  theme: 'block',
  uploadsUrl: '',
  blocks: new Map(),
  attachment: () => undefined,
  attachedTo: () => [],
  pattern: () => undefined,
  ask: askNothing,
  linkTo: () => '',
  site: null,
  post: undefined,
  get counters() {
    return new Counters();
  },
  request: { url: '', isSignedIn: false },
};

const LIBRARY = /\[gallery(?![\w-])/;
const BY_CLASS = /wp-image-(\d+)/gi;
const BY_LIST = /(?:ids|include|exclude)=["']?([\d,\s]+)/gi;
const PATTERN = /<!--\s+wp:(?:core\/)?block\s+\{[^>]*?"ref":\s*(\d+)/g;

/** Whether a text has a gallery. */
export const showsLibrary = (text: string): boolean => text.includes('[') && LIBRARY.test(text);

/** Ids of the patterns that a text shows. */
export const namedPatterns = (text: string): number[] =>
  text.includes('<!--') ? Array.from(text.matchAll(PATTERN), ([, id]) => Number(id)).filter(Number.isSafeInteger) : [];

export function namedAttachments(text: string): number[] {
  const byClass = text.includes('wp-image-') ? Array.from(text.matchAll(BY_CLASS), ([, id]) => Number(id)) : [];
  const byList = showsLibrary(text) ? Array.from(text.matchAll(BY_LIST), ([, ids = '']) => ids.split(',').map(Number)).flat() : [];
  return [...byClass, ...byList].filter((id) => Number.isSafeInteger(id) && id > 0);
}
