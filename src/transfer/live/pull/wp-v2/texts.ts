import { phpTrim } from '../../../../wordpress/formatting/strip-tags.js';
import { filterContent, filterExcerpt, excerptOf } from '../../../../wordpress/formatting/content.js';
import { outerBlocks } from '../../../../wordpress/formatting/block-parts/parse.js';
import type { Post, RenderedTexts } from '../../../../wordpress/model.js';
import { storedTexts } from '../unrender.js';
import { textOf, type CoreItem } from './item.js';

/*
 * The stored texts of posts of `wp/v2`. Unlike the calendar, it shows them with the white space around them, and posts without an excerpt
 * with the beginning of their content.
 */

type Texts = Pick<Post, 'title' | 'content' | 'excerpt' | 'rendered'>;

const withoutMark = (title: string): string => title.replace(/^[^:]+: /, '');

const ownContent = (texts: Texts, home: string): string => filterContent(texts.content, { siteUrl: home });

const ownExcerpt = ({ excerpt, content }: Texts, home: string): string =>
  filterExcerpt(excerpt || excerptOf(content, undefined, { siteUrl: home }), { siteUrl: home });

function withRendered(texts: Texts, more: RenderedTexts): Texts {
  const rendered = { ...texts.rendered, ...more };
  return Object.keys(rendered).length === 0 ? texts : { ...texts, rendered };
}

/** Adds the rendered texts of `wp/v2` where they differ from what we would render. */
function asShown(texts: Texts, content: string | undefined, excerpt: string | undefined, home: string): Texts {
  const withContent = content === undefined || ownContent(texts, home) === content ? {} : { content };
  const withExcerpt = excerpt === undefined || ownExcerpt(texts, home) === excerpt ? {} : { excerpt };
  return withRendered(texts, { ...withContent, ...withExcerpt });
}

/** The texts of a post. @param home address of the site */
export function coreTexts(item: CoreItem, home: string): Texts {
  const [title, content, excerpt] = ['title', 'content', 'excerpt'].map((name) => textOf(item, name));
  // WP: patterns are only shown as they are stored.
  if (content.rendered === undefined && content.raw !== undefined)
    return { title: title.raw ?? '', content: content.raw, excerpt: excerpt.raw ?? '' };
  const shownTitle = title.rendered ?? '';
  const isMarked = title.raw === undefined && content.protected === true;
  const found = storedTexts(
    {
      title: isMarked ? withoutMark(shownTitle) : shownTitle,
      description: phpTrim(content.rendered ?? ''),
      excerpt: phpTrim(excerpt.rendered ?? ''),
    },
    { ...rawOf('title', title.raw), ...rawOf('content', content.raw), ...rawOf('excerpt', excerpt.raw) },
  );
  const { rendered: { title: keptTitle } = {}, ...stored } = found;
  const texts: Texts = { ...stored, ...(keptTitle === undefined ? {} : { rendered: { title: keptTitle } }) };
  const withoutExcerpt = { ...texts, excerpt: '' };
  // Without a stored excerpt, it is generated from the content.
  const isGenerated = excerpt.raw === undefined ? ownExcerpt(withoutExcerpt, home) === (excerpt.rendered ?? '') : excerpt.raw === '';
  return content.protected === true && content.rendered === ''
    ? texts
    : asShown(isGenerated ? withoutExcerpt : texts, content.rendered, excerpt.rendered, home);
}

const rawOf = (name: 'title' | 'content' | 'excerpt', raw: string | undefined): Partial<Record<typeof name, string>> =>
  raw === undefined ? {} : { [name]: raw };

/** The texts of a post that were found by the calendar, with what `wp/v2` shows besides. */
export function withCoreTexts(texts: Texts, item: CoreItem, home: string): Texts {
  const [content, excerpt] = ['content', 'excerpt'].map((name) => textOf(item, name));
  if (content.protected === true && content.rendered === '') return texts;
  const inCalendar = texts.rendered?.content ?? phpTrim(ownContent(texts, home));
  const isSame = content.rendered !== undefined && phpTrim(content.rendered) === inCalendar;
  return asShown(texts, isSame ? content.rendered : undefined, excerpt.rendered, home);
}

/** The names of the blocks that a site shows in another way than we do, if the stored text is known. */
export function otherBlocks({ content, rendered: { content: shown } = {} }: Texts, home: string): string[] {
  if (shown === undefined) return [];
  const ours = (block: string): string => phpTrim(filterContent(block, { siteUrl: home }));
  const isOther = (html: string): boolean => html === '' || !shown.includes(html);
  return [...outerBlocks(content)].filter(([, block]) => isOther(ours(block))).map(([name]) => name);
}
