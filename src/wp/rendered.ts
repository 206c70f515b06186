import { renderContent, renderExcerpt, renderTitle } from './formatting/content.js';
import type { RenderOptions } from './formatting/content.js';
import { jsonLdDescription } from './formatting/json-ld-text.js';
import type { Post, RenderedTexts } from './model.js';
import { referencesOf } from './references.js';
import type { Related } from './related.js';
import type { Site } from './site.js';

/*
 * Posts that were copied from another site come with texts that it rendered. Where this renderer makes something else of what is stored,
 * they carry the text of that site along, and it is shown as it is.
 */

type Texts = Pick<Post, 'title' | 'content' | 'excerpt' | 'rendered'>;

/** The title as shown. */
export const shownTitle = ({ title, rendered }: Texts): string => rendered?.title ?? renderTitle(title);

/** WP: titles in feeds and metadata say so when an item is protected or private. */
export function markedTitle(post: Texts & Pick<Post, 'password' | 'status'>): string {
  const title = shownTitle(post);
  if (post.password !== '') return `Protected: ${title}`;
  return post.status === 'private' ? `Private: ${title}` : title;
}

/** Where texts are shown, and what was loaded of what they refer to. */
export interface Place {
  site: Site;
  related: Pick<Related, 'references'>;
}

/** What a renderer has to know besides a text. @param postId the post it belongs to; 0 in the API of the calendar, which sets none up */
export const renderOptions = ({ site, related }: Place, postId = 0): Required<RenderOptions> => ({
  siteUrl: site.url,
  postId,
  references: referencesOf(related.references, site),
});

/** The description as the calendar API shows it. */
export const shownContent = ({ content, rendered }: Texts, place: Place): string =>
  rendered?.content ?? renderContent(content, renderOptions(place));

/** The excerpt as the calendar API shows it. */
export const shownExcerpt = ({ excerpt, rendered }: Texts, place: Place): string =>
  rendered?.excerpt ?? renderExcerpt(excerpt, renderOptions(place));

/** `json_ld.description`. */
export const shownJsonLdDescription = (post: Texts, { site, related }: Place): string =>
  post.rendered?.jsonLd ?? jsonLdDescription(post, referencesOf(related.references, site));

/** What still holds of a post's rendered texts after a change: those whose stored text is as it was. */
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
