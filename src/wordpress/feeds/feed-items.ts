import { escapeText, trusted, type Html } from '../views/html.js';
import type { FeedItem } from '../views/content.js';
import type { Reading } from '../views/reading.js';
import { contentOf, lineOf } from '../views/texts.js';
import { decodeEntities } from '../formatting/decode-entities.js';
import { excerptOf } from '../formatting/excerpt.js';
import { ksesPost } from '../formatting/kses/kses.js';
import { PAGE_RULES } from '../formatting/kses/rules.js';
import { CATEGORY, TAG, type Post, type User } from '../model.js';
import { guidPath, permalink } from '../posts/permalinks.js';
import { termsOf, type Related } from '../posts/related.js';
import { markedTitle, renderOptions } from '../posts/rendered.js';

/** Text without HTML entities, which XML does not have. */
export const plain = ({ text }: Html): string => decodeEntities(text);

const namesOf = (post: Post, taxonomies: readonly string[], related: Related): string[] =>
  taxonomies.flatMap((taxonomy) => termsOf(post, taxonomy, related).map(({ name }) => decodeEntities(name)));

/** A blog post in a feed. */
export function postItem(post: Post, related: Related, authors: ReadonlyMap<number, User>, { site, texts }: Reading): FeedItem {
  const isOpen = post.password === '';
  const place = { site, related };
  const excerpt = isOpen
    ? post.excerpt || excerptOf(post.content, undefined, renderOptions(place, post), true)
    : escapeText(texts.passwordProtected);
  return {
    // WP: titles in feeds are without tags.
    title: plain(lineOf(markedTitle(post))),
    url: permalink(post, site, false),
    // WP: a permanent identifier, not a URL to open.
    guid: decodeEntities(`${site.url}${guidPath(post, site)}`),
    date: post.dateGmt,
    modified: post.modifiedGmt,
    author: authors.get(post.author)?.displayName,
    categories: namesOf(post, [CATEGORY, TAG], related),
    summary: trusted(ksesPost(excerpt, PAGE_RULES)),
    content: isOpen ? contentOf(post, place) : null,
  };
}
