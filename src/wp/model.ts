/** Names of WordPress's own post types (WP: `post_type`). */
export const ATTACHMENT = 'attachment';
export const POST = 'post';
export const PAGE = 'page';

/** WordPress's own taxonomies. */
export const TAG = 'post_tag';
export const CATEGORY = 'category';

/** WP: how a blog post may be laid out. */
export const POST_FORMATS = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'];

/** WP: the date of something that was never published. */
export const ZERO_DATE = '0000-00-00 00:00:00';

/** One row of post meta. Rows keep their order; a key may have several (WP: `wp_postmeta`). */
export interface MetaRow {
  key: string;
  value: string;
}

/** WP: attachment metadata of an image. */
export interface ImageMetadata {
  width: number;
  height: number;
  file: string;
  filesize?: number;
  sizes: Record<string, ImageSize>;
  original_image?: string;
  image_meta?: Record<string, unknown>;
}

export interface ImageSize {
  file: string;
  width: number;
  height: number;
  'mime-type': string;
  filesize?: number;
}

/** Texts as another site rendered them: shown in place of what would be made of the stored ones. */
export interface RenderedTexts {
  title?: string;
  content?: string;
  excerpt?: string;
  /** `json_ld.description`. */
  jsonLd?: string;
}

/** A post of any type. Plugins add columns of their own (`declare module`). */
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
  /** Place among its siblings. TEC: -1 marks a sticky event. */
  menuOrder: number;
  /** Publication date, site time and UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  dateGmt: string;
  modified: string;
  modifiedGmt: string;
  mimeType?: string;
  /** Attachments: path below the uploads folder, and what is known of the image. */
  file?: string;
  image?: ImageMetadata | null;
  /** Attachments that are no image: bytes, once they are known (WP: their only metadata). */
  fileSize?: number;
  /** Whether it takes comments and pings; the default of its type when absent. */
  commentStatus?: string;
  pingStatus?: string;
  /** Blog posts: kept at the top, and how they are laid out; `standard` when absent. */
  sticky?: boolean;
  format?: string;
  meta: MetaRow[];
  terms: Record<string, number[]>;
  /** Texts of a copy that differ from what is made of its stored ones; each goes with the next change of its stored text. */
  rendered?: RenderedTexts;
  /** WP: the address that it had when it was made, below that of the site; derived from what it is while nothing else is known. */
  guid?: string;
  /** Grows with every change: a writer that read an older one starts over. */
  version?: number;

  // Derived from the above whenever a post is written; the columns that filters and sorts use. Plugins add theirs.
  /** The slug, once nobody else of the type may have it. WP: drafts may share theirs. */
  slugKey?: string;
  /** Title folded for equality, and for the order by title. */
  titleKey?: string;
  /** Folded texts that `search` looks into, one per field: title, excerpt, content, then what else a type has (`SEARCH_COLUMNS`). */
  search?: string[];
}

export interface Term {
  _id: number;
  taxonomy: string;
  /** As stored: HTML-escaped (WP). */
  name: string;
  /** Percent-encoded when not ASCII (WP). */
  slug: string;
  description: string;
  parent: number;
  termGroup: number;
  termTaxonomyId: number;
  /** Published posts that have it; recounted from the posts whenever one of them changes. */
  count: number;
  /** Of a copy: how many more posts of the site that it was taken from have it, which that site does not show. They count. */
  elsewhere?: number;
  /** The same over the term and all below it. */
  branchCount: number;
  /** Name and slug folded for search and equality. */
  nameKey: string;
  search: string;
}

export interface ApplicationPassword {
  uuid: string;
  name: string;
  /** `salt:sha256(salt + password)`, both hex. */
  hash: string;
  created: number;
  /** UUID that the application gave itself; absent when it gave none. */
  appId?: string;
  /** When it was last used, epoch seconds, told at most once a day (WP), and from which address. */
  lastUsed?: number;
  lastIp?: string;
}

/** A session that was left by logging out: SHA-256 of its token, and until when that has to be known (epoch seconds). */
export interface EndedSession {
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
  role: string;
  /** What users say about themselves; the login is the nickname of those who gave none (WP). */
  firstName?: string;
  lastName?: string;
  nickname?: string;
  description?: string;
  locale?: string;
  /** Epoch seconds. */
  registered?: number;
  /** scrypt, or absent when the account has no password. */
  passwordHash?: string;
  applicationPasswords: ApplicationPassword[];
  endedSessions?: EndedSession[];
}

/** WP: statuses without a publication date, whose slug is not settled yet. */
export const isDraftLike = (status: string): boolean => ['draft', 'pending', 'auto-draft'].includes(status);

/** What the pseudo-status `any` stands for: everything but the trash and what is internal (WP). */
export const ANY_STATUS: readonly string[] = ['publish', 'future', 'draft', 'pending', 'private'];

/** First value of a meta key, as single-value fields read it; `undefined` when there is no row. */
export function metaValue(post: Pick<Post, 'meta'>, key: string): string | undefined {
  return post.meta.find((row) => row.key === key)?.value;
}

/** All values of a meta key in their order. */
export function metaValues(post: Pick<Post, 'meta'>, key: string): string[] {
  return post.meta.filter((row) => row.key === key).map((row) => row.value);
}

/** The meta with one key replaced by the given rows (none: removed), others untouched. */
export function withMeta(meta: MetaRow[], key: string, values: string[]): MetaRow[] {
  return [...meta.filter((row) => row.key !== key), ...values.map((value) => ({ key, value }))];
}
