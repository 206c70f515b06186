import type { Exchange } from './recordings/exchange.js';
import type { Comment, Post, Term, User } from '../wordpress/model.js';
import type { Declarations } from '../wordpress/types/declared.js';
import type { ImageFacts } from '../wordpress/media/files.js';

/** A file for the uploads folder of the site. */
export interface SourceFile {
  /** Path of the file that is copied. */
  source: string;
  /** Folder that the file must be in, also its real path: content from elsewhere names it. Absent: anywhere. */
  within?: string;
  /** Content of the file, if there is no file to copy. */
  data?: Uint8Array;
  /** Path below the uploads folder. */
  target: string;
  /** Skip the file if the source does not exist. */
  optional?: boolean;
  /** Set for an original image without its sizes. They are generated when the image is stored, and added to its attachment. */
  image?: ImageFacts;
}

/** The content of a dataset file, ready to be stored: posts and terms include their derived columns. */
export interface DatasetContent {
  posts: Post[];
  terms: Term[];
  users: User[];
  comments?: Comment[];
  options: Record<string, unknown>;
  declarations?: Declarations;
  nextIds: { posts: number; terms: number };
  /** Time at which the clock is frozen, ms since 1970 UTC, or null for real time. */
  clock: number | null;
  /** URL of the site that the dataset comes from, without trailing slash, or `''`. */
  siteUrl: string;
  files: SourceFile[];
  /** Posts and terms that are only mentioned, by id. */
  mentions?: { posts: ReadonlyMap<number, Mention>; terms: ReadonlyMap<number, Mention> };
}

/** A reference to something that the file does not contain, which is created unless the site has it. */
export interface Mention {
  name: string;
  /** Path of the reference: `events[3].venue`. */
  path: string;
  /** Problem to report if nothing may be created. */
  problem: string;
  /** An earlier mention that is probably the same, but for a letter. */
  like?: string | undefined;
}

/** Counts the published posts of each term. */
export function countTermUse(posts: readonly Post[]): Map<number, number> {
  const counts = new Map<number, number>();
  const published = posts.filter(({ status }) => status === 'publish');
  for (const id of published.flatMap(({ terms }) => [...new Set(Object.values(terms).flat())])) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * An item of content on its way into or out of a site. Content is streamed, so no format needs to hold all of it. Every reader (own formats,
 * WXR, CSV, iCalendar, a live site, the generator) returns a source, every writer accepts one, and one loader stores it. Documents have no
 * derived columns.
 */
export type SourceItem =
  /** Options of the site by their stored names (WP: `wp_options`); later ones override earlier ones. */
  | { kind: 'options'; options: Record<string, unknown>; at?: SourcePlace }
  | { kind: 'user'; user: User; at?: SourcePlace }
  /**
   * `reuse`: only mentioned. If the taxonomy already has a term with this name or slug, it is used. `absent`: what is wrong if it has none and
   * nothing may be created.
   */
  | { kind: 'term'; term: Term; reuse?: boolean; absent?: string; at?: SourcePlace }
  /**
   * `reuse`: only mentioned, such as the venue of an event in a CSV file. If the store already has a post of this type with this title
   * (compared by `titleKey`), that post is used and not changed; otherwise the post is created. `bySlug`: also if it has one with this slug.
   */
  | { kind: 'post'; post: Post; reuse?: boolean; bySlug?: boolean; absent?: string; at?: SourcePlace }
  | { kind: 'comment'; comment: Comment; at?: SourcePlace }
  /** A file of the uploads folder. */
  | { kind: 'file'; file: SourceFile; at?: SourcePlace };

/** Location of an item, for messages: the line and column (from 1) and the path within the file, if the format has them. */
export interface SourcePlace {
  file?: string;
  line?: number | undefined;
  column?: number | undefined;
  path?: string;
}

/** A source of content. Its items may be read more than once: first to validate, then to load. */
export interface DatasetSource {
  /** Name for messages: the file name or the URL of the site. */
  name: string;
  /** URL of the site that the content comes from, without trailing slash, or ''. Loading rewrites links to it. */
  siteUrl: string;
  /** Time at which the clock is frozen, ms since 1970 UTC; null for real time. */
  clock: number | null;
  /**
   * Whether ids are kept unless they are in use. Otherwise they only identify the items within this source, and the store assigns new ones.
   */
  keepsIds: boolean;
  /** Names of the plugins of the site besides the ones that every site has. */
  plugins?: readonly string[];
  declarations?: Declarations;
  /** The next ids to assign after the content, if known. */
  nextIds?: { posts: number; terms: number };
  /** Real path of the file that it is read from. */
  file?: string | undefined;
  /** Paths below `uploads` of required files that do not exist; reported as problems, too. */
  missing?: readonly string[];
  /** The same for paths below `stubs`. */
  missingStubs?: readonly string[];
  /** The parts of a site that it is limited to; absent: all. */
  parts?: readonly string[];
  /** The source that it is a part of, which contains referenced items. */
  whole?: DatasetSource;
  /** The recorded responses that it consists of. */
  exchanges?: readonly Exchange[];
  /** Number of items, for progress reports, if known. */
  count?: number;
  /**
   * Yields the items: options first, then users, then all others in any order. An invalid item is skipped.
   * @param problems receives every problem, with its location
   */
  items(problems: (problem: string, at?: SourcePlace) => void): AsyncIterable<SourceItem>;
}

export interface LocatedProblem extends SourcePlace {
  message: string;
}

/** `line 12: events[3].venue: …`, with the parts of the location that are known. */
const formatProblem = ({ line, path, message }: LocatedProblem): string =>
  [...(line === undefined ? [] : [`line ${line}`]), ...(path ? [path] : []), message].join(': ');

/** A warning with its place as far as it is known: `calendar.ics: line 12: VEVENT "Jazz": left out: …`. */
export const warningText = (message: string, at: SourcePlace = {}): string =>
  `${at.file === undefined ? '' : `${at.file}: `}${formatProblem({ ...at, message })}`;

/** Orders the problems of a file. Those without a position come first. */
export const byPosition = (a: SourcePlace, b: SourcePlace): number => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

/** All validation errors of dataset files. */
export class DatasetError extends Error {
  /** One line per problem, such as `line 12: events[3].venue: there is no venue with the slug "x"`. Problems of further files name the file. */
  readonly problems: readonly string[];
  readonly located: readonly LocatedProblem[];

  /**
   * @param file name of the file, as given by the user
   * @param given the problems; those without a file are of the first one
   */
  constructor(
    readonly file: string,
    given: readonly (LocatedProblem | string)[],
  ) {
    const located = given.map((each) => (typeof each === 'string' ? { message: each } : each));
    const problems = located.map((each) => `${(each.file ?? file) === file ? '' : `${each.file}: `}${formatProblem(each)}`);
    super(
      `${file}: ${problems.length === 1 ? problems[0] : `${problems.length} problems\n${problems.map((line) => `  ${line}`).join('\n')}`}`,
    );
    this.name = 'DatasetError';
    this.problems = problems;
    this.located = located;
  }
}

/** Maximum number of problems to report. */
const MAX_PROBLEMS = 1_000;

export class SourceProblems {
  /** Name of the current source. */
  source = '';
  count = 0;
  private readonly bySource = new Map<string, LocatedProblem[]>();

  add(message: string, at: SourcePlace = {}): void {
    this.count += 1;
    const file = at.file ?? this.source;
    const located = this.bySource.get(file) ?? [];
    this.bySource.set(file, located);
    if (this.count <= MAX_PROBLEMS) located.push({ ...at, file, message });
  }

  /** @throws DatasetError when there were any */
  throwIfAny(): void {
    if (this.count === 0) return;
    const more = this.count > MAX_PROBLEMS ? [{ message: `… and ${this.count - MAX_PROBLEMS} more` }] : [];
    const [first] = this.bySource.keys();
    const sorted = [...this.bySource.values()].map((located) => located.toSorted(byPosition));
    throw new DatasetError(first, [...sorted, more].flat());
  }
}

export interface FileProblem {
  /** Path of the value: `events[3].venue`. */
  path: string;
  line?: number;
  message: string;
  /** For an unknown field: the path that was probably meant. */
  meant?: string | undefined;
  /** For a reference that cannot be resolved: the list with the items that it could refer to. */
  list?: string | undefined;
}

/** Collects problems so that they can be reported together. */
export class Problems {
  readonly entries: FileProblem[] = [];
  /** Paths of files of the media folder that do not exist. */
  readonly missingFiles: string[] = [];
  /** Paths of files of the folder for stubs that do not exist. */
  readonly missingStubs: string[] = [];
  private readonly known = new Set<string>();

  /** Adds a problem, unless it is known: an entry can stand for several events. */
  add(path: string, message: string, more: Pick<FileProblem, 'line' | 'meant' | 'list'> = {}): void {
    const key = `${path}\n${message}`;
    if (!this.known.has(key)) this.entries.push({ path, message, ...more });
    this.known.add(key);
  }

  /** @throws DatasetError when there were any */
  throwIfAny(file: string): void {
    if (this.entries.length > 0) throw new DatasetError(file, this.entries);
  }
}
