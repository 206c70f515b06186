/** WordPress's built-in post types. */
export const ATTACHMENT = 'attachment';
export const POST = 'post';
export const PAGE = 'page';
/** Patterns, which other posts show by id with `core/block`. */
export const BLOCK = 'wp_block';
export const NAVIGATION = 'wp_navigation';

/** WP: revisions and autosaves of posts. */
export const REVISION = 'revision';

/** The items of menus; a menu is a term. */
export const MENU_ITEM = 'nav_menu_item';
export const MENU = 'nav_menu';

/** WordPress's built-in taxonomies. */
export const TAG = 'post_tag';
export const CATEGORY = 'category';

/** WP: the formats of blog posts. */
export const POST_FORMATS = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'];

/** WP: the date of posts that were never published. */
export const ZERO_DATE = '0000-00-00 00:00:00';

/** A row of post meta (WP: `wp_postmeta`). Rows are ordered, and a key may have several. */
export interface MetaRow {
  key: string;
  value: string;
}

/**
 * Values of fields of plugins that nobody emulates, by namespace: the JSON of an object with the values by name. Texts, since MongoDB does not
 * take all names of members, and a list of one namespace need not parse the values of another.
 */
export type StoredFields = Readonly<Record<string, string>>;

/** WP: attachment metadata of an image. */
export interface ImageMetadata {
  width: number;
  height: number;
  file: string;
  filesize?: number;
  sizes: Record<string, ImageSize>;
  original_image?: string;
  image_meta?: Record<string, unknown>;
  /** WP: the image of which it is a changed copy. */
  parent_image?: { attachment_id: number; file: string };
}

export interface ImageSize {
  file: string;
  width: number;
  height: number;
  'mime-type': string;
  filesize?: number;
}

/** Texts rendered by another site, shown instead of rendering the stored texts. */
export interface RenderedTexts {
  title?: string;
  content?: string;
  excerpt?: string;
  jsonLd?: string;
}

/** A post of any type. Plugins add columns (`declare module`). */
export interface Post {
  _id: number;
  type: string;
  status: string;
  author: number;
  title: string;
  content: string;
  excerpt: string;
  slug: string;
  password: string;
  parent: number;
  /** Order among its siblings. TEC: -1 marks a sticky event. */
  menuOrder: number;
  /** Publication date, site time and UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  dateGmt: string;
  modified: string;
  modifiedGmt: string;
  mimeType?: string;
  /** Attachments: path relative to the uploads folder, and metadata of images. */
  file?: string;
  image?: ImageMetadata | null;
  /** Attachments that are not images: size in bytes, if known (WP: their only metadata). */
  fileSize?: number;
  /** Whether comments and pings are open. Default: the type's. */
  commentStatus?: string;
  pingStatus?: string;
  /** Blog posts: whether sticky, and the format. Default: `standard`. */
  sticky?: boolean;
  format?: string;
  meta: MetaRow[];
  terms: Record<string, number[]>;
  /** Copied posts: rendered texts that differ from this renderer's. Each is removed when its stored text changes. */
  rendered?: RenderedTexts;
  /** WP: the permalink at creation, relative to the site's URL. If absent, it is derived from the current fields. */
  guid?: string;
  fields?: StoredFields;
  /** Incremented with every change, for optimistic locking. */
  version?: number;

  // Derived from the above on every write, for filters and sorts. Plugins add theirs.
  /** The slug, if it has to be unique within the type. WP: drafts may share theirs. */
  slugKey?: string;
  /** Title folded for equality, and for the order by title. */
  titleKey?: string;
  /** Folded texts for searches, one per field: title, excerpt, content (`SEARCH_COLUMNS`), then the fields of the type. */
  search?: string[];
}

export interface Term {
  _id: number;
  taxonomy: string;
  /** Stored name: HTML-escaped (WP). */
  name: string;
  /** Non-ASCII characters are percent-encoded (WP). */
  slug: string;
  description: string;
  parent: number;
  termGroup: number;
  termTaxonomyId: number;
  /** Number of published posts with this term, recounted when one of them changes. */
  count: number;
  /** Menus: whether new pages at the top are added to it. */
  autoAdd?: boolean;
  fields?: StoredFields;
  /** Copied terms: number of further posts on the source site that were not accessible. Included in `count`. */
  elsewhere?: number;
  /** The sum of `count` over the term and its descendants. */
  branchCount: number;
  /** Name and slug folded for search and equality. */
  nameKey: string;
  search: string;
}

/** A comment of a post (WP: a row of `wp_comments`). */
export interface Comment {
  _id: number;
  post: number;
  parent: number;
  /** Id of the user who wrote it; 0: a guest. */
  author: number;
  authorName: string;
  authorEmail: string;
  authorUrl: string;
  authorIp: string;
  agent: string;
  /** Site time and UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  dateGmt: string;
  content: string;
  /** WP: `1`, `0` (held), `spam`, `trash` or `post-trashed`. */
  approved: string;
  type: string;
  /** Status before it went to the trash, to spam, or with its post to the trash. */
  previous?: string;
  /** WP: the meta `_wp_note_status`. */
  noteStatus?: NoteStatus;
  fields?: StoredFields;
}

/** WP: the type of comments that are notes for editors. */
export const NOTE = 'note';

export const NOTE_STATUSES = ['resolved', 'reopen'] as const;
export type NoteStatus = (typeof NOTE_STATUSES)[number];

export const isNoteStatus = (value: unknown): value is NoteStatus => NOTE_STATUSES.some((status) => status === value);

export interface ApplicationPassword {
  uuid: string;
  name: string;
  /** `salt:sha256(salt + password)`, both hex. */
  hash: string;
  created: number;
  /** UUID of the application, if it has sent one. */
  appId?: string;
  /** Time of the last use in epoch seconds, updated at most once a day (WP), and its IP address. */
  lastUsed?: number;
  lastIp?: string;
}

/** A session that was ended by logging out: SHA-256 of its token, and when the entry may be removed (epoch seconds). */
interface EndedSession {
  token: string;
  expiry: number;
}

export interface User {
  _id: number;
  login: string;
  email: string;
  displayName: string;
  nicename: string;
  url: string;
  /** SHA-256 or MD5 of the address whose picture is shown, where `email` is another. */
  avatar?: string;
  /** Empty: none. WP: in a network of sites, a user without one is no member of the site. */
  role: string;
  /** Whether they may do everything in a network of sites (WP: the site option `site_admins`). */
  superAdmin?: boolean;
  /** Callers in a network, not stored: of super admins the network, of others their site. */
  reach?: 'network' | 'site';
  /** The user's profile. WP: the default nickname is the login. */
  firstName?: string;
  lastName?: string;
  nickname?: string;
  description?: string;
  locale?: string;
  /** Epoch seconds. */
  registered?: number;
  /** scrypt hash; absent if the account has no password. */
  passwordHash?: string;
  applicationPasswords: ApplicationPassword[];
  fields?: StoredFields;
  endedSessions?: EndedSession[];
}

/** Documents by id. */
export type Known<T> = Pick<ReadonlyMap<number, T>, 'get'>;

/** WP: statuses without a publication date, whose slug is not final. */
export const isDraftLike = (status: string): boolean => ['draft', 'pending', 'auto-draft'].includes(status);

/** WP: the statuses of the pseudo-status `any`: all but the trash and internal ones. */
export const ANY_STATUS: readonly string[] = ['publish', 'future', 'draft', 'pending', 'private'];

/** The first value of a meta key; undefined if there is none. */
export function metaValue(post: Pick<Post, 'meta'>, key: string): string | undefined {
  const { meta } = post;
  for (let i = 0; i < meta.length; i++) if (meta[i].key === key) return meta[i].value;
  return undefined;
}

/** The id of the featured image of a post; 0: it has none. */
export const thumbnailOf = (post: Pick<Post, 'meta'>): number => Number(metaValue(post, '_thumbnail_id') ?? 0);

export function metaValues(post: Pick<Post, 'meta'>, key: string): string[] {
  const values: string[] = [];
  for (const row of post.meta) if (row.key === key) values.push(row.value);
  return values;
}

/** Replaces the rows of a meta key. No values: removes them. */
export function withMeta(meta: MetaRow[], key: string, values: string[]): MetaRow[] {
  return [...meta.filter((row) => row.key !== key), ...values.map((value) => ({ key, value }))];
}
