import { createHash } from 'node:crypto';
import type { Term, User } from './model.js';
import type { Site } from './site.js';
import type { PostType } from './types/post-type.js';
import { termUrl, withAncestors } from './terms/terms.js';

export function authorUrl({ url, options: { rewrite } }: Site, { _id, nicename }: Pick<User, '_id' | 'nicename'>): string {
  return `${url}${rewrite.isPlain ? `/?author=${_id}` : rewrite.path(['author', nicename], true)}`;
}

/** The address whose picture a user has, or its hash. */
export const pictured = ({ email, avatar }: Pick<User, 'email' | 'avatar'>): string => avatar ?? email;

/** WP: pictures of users are at Gravatar, by the hash of their address. */
export function avatarUrl(address: string, size: number): string {
  const isHash = /^(?:[\da-f]{32}){1,2}$/.test(address);
  const hash = isHash ? address : createHash('sha256').update(address.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?s=${size}&d=mm&r=g`;
}

/** The URL of the feed of a page of the site. @param suffix of paths: `feed`, `comments/feed` */
export const feedUrl = (site: Site, page = rootUrl(site), suffix?: string): string => site.options.rewrite.feed(site.url, page, suffix);

/** URL below which the paths of the site are: its own, or that of `index.php`. */
const rootUrl = ({ url, options: { rewrite } }: Site): string => `${url}${rewrite.root}`;

/** URL of the list of a post type. */
export function archiveUrl({ url, options, registry }: Site, { name, archive }: Pick<PostType, 'name' | 'archive'>): string {
  const { rewrite } = options;
  const isDeclared = Object.hasOwn(registry.declarations.types ?? {}, name);
  return `${url}${rewrite.isPlain ? `/?post_type=${name}` : rewrite.path([archive?.(options) ?? name], isDeclared)}`;
}

/** URL of another page of a list. */
export function pageUrl({ options: { rewrite } }: Pick<Site, 'options'>, url: string, page: number): string {
  if (page === 1) return url;
  if (!rewrite.isPlain) return rewrite.below(url, `page/${page}`);
  return `${url}${url.includes('?') ? '&' : '?'}paged=${page}`;
}

export const urlOfTerm = async (term: Term, site: Site): Promise<string> => termUrl(term, await withAncestors(site.store, [term]), site);

/** URL of the blog posts of a year, a month or a day: `2026`, `2026-06` or `2026-06-15`. */
export function datesUrl(dates: string, { url, options: { rewrite } }: Site): string {
  return `${url}${rewrite.isPlain ? `/?m=${dates.replaceAll('-', '')}` : rewrite.path(dates.split('-'), true)}`;
}

/** The address of a comment on a page. WP: that page ends as paths of the site do, also behind a query, unless permalinks are plain. */
export const atComment = (page: string, id: number, { options: { rewrite, pagesComments } }: Pick<Site, 'options'>): string =>
  `${rewrite.isPlain ? page : rewrite.ended(pagesComments && page !== '' ? rewrite.below(page, 'comment-page-1') : page)}#comment-${id}`;
