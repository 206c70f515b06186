import { renderContent, renderExcerpt, renderTitle, type RenderOptions } from '../formatting/content.js';
import { phpTrim } from '../formatting/strip-tags.js';
import type { References } from '../formatting/references.js';
import { jsonLdDescription } from '../formatting/json-ld-text.js';
import type { Post, RenderedTexts } from '../model.js';
import { referencesOf } from './references.js';
import type { Related } from './related.js';
import type { Site } from '../site.js';

/*
 * Posts copied from another site may have texts rendered by that site. If they differ from this renderer's output, they are stored
 * and shown unchanged.
 */

type Texts = Pick<Post, 'title' | 'content' | 'excerpt' | 'rendered'>;

export const shownTitle = ({ title, rendered }: Texts): string => rendered?.title ?? renderTitle(title);

/** WP: in feeds and metadata, titles have a prefix if the post is protected or private. */
export function markedTitle(post: Texts & Pick<Post, 'password' | 'status'>): string {
  const title = shownTitle(post);
  if (post.password !== '') return `Protected: ${title}`;
  return post.status === 'private' ? `Private: ${title}` : title;
}

/** The request that texts are rendered for: what is counted over it, its address, and who sent it. */
export type Asked = Pick<References, 'counters' | 'request'>;

/** The site, and the loaded posts that texts refer to. */
export interface TextPlace {
  site: Site;
  related: Pick<Related, 'references'>;
  /** Absent: a text is on a page of its own. */
  asked?: Asked;
}

/** The options of the renderers. @param post the current post. TEC: none, since the calendar API sets up no global post */
export const renderOptions = ({ site, related, asked }: TextPlace, post?: Post): Required<RenderOptions> => ({
  siteUrl: site.url,
  postId: post?._id ?? 0,
  references: { ...referencesOf(related.references, site), ...asked, post },
});

/** The rendered content, for the calendar API. TEC: without white space around it, which the core API shows. */
export const shownContent = ({ content, rendered }: Texts, place: TextPlace): string =>
  rendered?.content === undefined ? renderContent(content, renderOptions(place)) : phpTrim(rendered.content);

/** The rendered excerpt, for the calendar API. TEC: none is generated, as the core API does. */
export const shownExcerpt = ({ excerpt, rendered }: Texts, place: TextPlace): string =>
  rendered?.excerpt === undefined || excerpt === '' ? renderExcerpt(excerpt, renderOptions(place)) : phpTrim(rendered.excerpt);

export const shownJsonLdDescription = (post: Texts, { site, related }: TextPlace): string =>
  post.rendered?.jsonLd ?? jsonLdDescription(post, referencesOf(related.references, site));

/** The rendered texts that stay valid after a change: those whose stored text has not changed. */
export function renderedAfter(before: Texts, after: Pick<Post, 'title' | 'content' | 'excerpt'>): RenderedTexts | undefined {
  if (!before.rendered) return undefined;
  const { title, content, excerpt, jsonLd } = before.rendered;
  const same = {
    title: before.title === after.title,
    content: before.content === after.content,
    excerpt: before.excerpt === after.excerpt,
  };
  const kept: RenderedTexts = {
    ...(same.title && title !== undefined ? { title } : {}),
    ...(same.content && content !== undefined ? { content } : {}),
    ...(same.excerpt && excerpt !== undefined ? { excerpt } : {}),
    ...(same.content && same.excerpt && jsonLd !== undefined ? { jsonLd } : {}),
  };
  return Object.keys(kept).length > 0 ? kept : undefined;
}
