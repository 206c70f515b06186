import type { Post, RenderedTexts } from '../../../wordpress/model.js';
import type { Options } from '../../../wordpress/options.js';
import { urlMover, type MoveText } from '../../load/links.js';
import type { LiveSite } from '../client/find.js';

/** Rewrites all URLs of the site to its main URL, and nonstandard uploads and REST URLs to those of the copy. */
export function toHome(
  { home, aliases, root, folder }: LiveSite,
  uploadsUrl: string,
  { rewrite, uploadFolder }: Pick<Options, 'rewrite' | 'uploadFolder'>,
): MoveText {
  const uploads = urlMover(uploadsUrl.replace(/\/$/, ''), `${home}${folder}${uploadFolder}`);
  const roots = urlMover(root.replace(/\/$/, ''), `${home}${rewrite.rest('')}`);
  const movers = aliases.map((alias) => urlMover(alias, home));
  return (text) => (text.includes('//') || text.includes('%2F') ? movers.reduce((moved, move) => move(moved), roots(uploads(text))) : text);
}

const moveRendered = (rendered: RenderedTexts, move: MoveText): RenderedTexts =>
  Object.fromEntries(Object.entries(rendered).map(([name, text]: [string, string]) => [name, move(text)]));

/** A post with its links moved. Its fields are moved already. */
export const movedPost = (post: Post, move: MoveText): Post => ({
  ...post,
  content: move(post.content),
  excerpt: move(post.excerpt),
  meta: post.meta.map(({ key, value }) => ({ key, value: move(value) })),
  ...(post.rendered ? { rendered: moveRendered(post.rendered, move) } : {}),
});
