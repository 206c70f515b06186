import type { Post } from '../model.js';
import type { Options } from '../options.js';
import type { QuirkName } from '../quirks.js';

export type DynamicBlock = (attributes: string, references: References) => string;

/** The content that a text may refer to, loaded before the text is rendered. */
export interface References {
  /** Rendering differences of the release of WordPress from the newest one. */
  readonly quirks: ReadonlySet<QuirkName>;
  /** Address of the folder of uploaded files, without a slash at the end. */
  readonly uploadsUrl: string;
  /** The blocks of plugins that are rendered when they are shown, by name. */
  readonly blocks: ReadonlyMap<string, DynamicBlock>;
  readonly attachment: (id: number) => Post | undefined;
  /** The attachments of a post in their order. Unattached ones have the parent 0. */
  readonly attachedTo: (id: number) => readonly Post[];
  /** The pattern with a number, if it is published and without a password. */
  readonly pattern: (id: number) => Post | undefined;
  /** The newest blog posts. */
  readonly latestPosts: readonly Post[];
  /** The patterns that contain the text. */
  readonly shownPatterns?: readonly number[];
  /** Address of the page of a post or an attachment. */
  readonly linkTo: (post: Post) => string;
  /** The post of the text, with the settings and the local time of the site. TEC: none in its API. */
  readonly current?: { readonly post: Post; readonly options: Options; readonly today: () => string } | undefined;
}

/** For texts without loaded references, as the newest release of WordPress shows them. */
export const NO_REFERENCES: References = {
  quirks: new Set(),
  uploadsUrl: '',
  blocks: new Map(),
  attachment: () => undefined,
  attachedTo: () => [],
  pattern: () => undefined,
  latestPosts: [],
  linkTo: () => '',
};

const LIBRARY = /\[gallery(?![\w-])/;
const BY_CLASS = /wp-image-(\d+)/gi;
const BY_LIST = /(?:ids|include|exclude)=["']?([\d,\s]+)/gi;
const PATTERN = /<!--\s+wp:(?:core\/)?block\s+\{[^>]*?"ref":\s*(\d+)/g;
const NEWEST = /<!--\s+wp:(?:core\/)?latest-posts\s/;

/** Whether a text has a gallery. */
export const showsLibrary = (text: string): boolean => text.includes('[') && LIBRARY.test(text);

/** Whether a text has the block of the newest blog posts. */
export const showsNewest = (text: string): boolean => text.includes('<!--') && NEWEST.test(text);

/** Ids of the patterns that a text shows. */
export const namedPatterns = (text: string): number[] =>
  text.includes('<!--') ? Array.from(text.matchAll(PATTERN), ([, id]) => Number(id)).filter(Number.isSafeInteger) : [];

/** Ids of the attachments that a text names. */
export function namedAttachments(text: string): number[] {
  const byClass = text.includes('wp-image-') ? Array.from(text.matchAll(BY_CLASS), ([, id]) => Number(id)) : [];
  const byList = showsLibrary(text) ? Array.from(text.matchAll(BY_LIST), ([, ids = '']) => ids.split(',').map(Number)).flat() : [];
  return [...byClass, ...byList].filter((id) => Number.isSafeInteger(id) && id > 0);
}
