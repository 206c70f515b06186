import { serialize } from 'php-serialize';
import { writeTexts } from '../../../base/system/streams.js';
import { Clock } from '../../../wordpress/clock.js';
import { rssDate, xmlCdata as cdata, xmlText as escaped } from '../../../wordpress/formatting/xml.js';
import { ATTACHMENT, metaValue, type Comment, type MetaRow, type Post, type Term, type User } from '../../../wordpress/model.js';
import { withPatterns, withReferences } from '../../references.js';
import { Omissions, throwProblem, indexSource, type Index, kindOfPost } from '../../writing.js';
import type { Write, FormatWriteOptions, Wrote } from '../format.js';
import { type DatasetSource, DatasetError } from '../../source.js';
import { commentElement } from './comments.js';
import { plainText } from '../dataset/site.js';
import { pathsWith, usualGuid } from './guid.js';
import { serializedMeta } from './structured.js';
import type { Declarations } from '../../../wordpress/types/declared.js';

const element = (name: string, text: string | number): string => `<${name}>${typeof text === 'number' ? text : cdata(text)}</${name}>`;
const lines = (depth: number, ...items: string[]): string => items.map((text) => `${'\t'.repeat(depth)}${text}\n`).join('');

const NAMESPACES = {
  excerpt: 'http://wordpress.org/export/1.2/excerpt/',
  content: 'http://purl.org/rss/1.0/modules/content/',
  wfw: 'http://wellformedweb.org/CommentAPI/',
  dc: 'http://purl.org/dc/elements/1.1/',
  wp: 'http://wordpress.org/export/1.2/',
};

function head(name: string, description: string, { siteUrl, clock }: DatasetSource): string {
  const now = new Date(new Clock(clock).now()).toISOString().slice(0, 19).replace('T', ' ');
  const namespaces = Object.entries(NAMESPACES).map(([prefix, uri]) => `\n\txmlns:${prefix}="${uri}"`);
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"${namespaces.join('')}>
<channel>
${lines(
  1,
  `<title>${escaped(name)}</title>`,
  `<link>${escaped(siteUrl)}</link>`,
  `<description>${escaped(description)}</description>`,
  `<pubDate>${rssDate(now)}</pubDate>`,
  '<wp:wxr_version>1.2</wp:wxr_version>',
  `<wp:base_site_url>${escaped(siteUrl)}</wp:base_site_url>`,
  `<wp:base_blog_url>${escaped(siteUrl)}</wp:base_blog_url>`,
)}`;
}

/** WP: an author has no address there; importers skip the element, and an import here keeps it. */
const authorElement = ({ _id, login, email, displayName, firstName = '', lastName = '', url }: User): string =>
  lines(
    1,
    `<wp:author>${[
      element('wp:author_id', _id),
      element('wp:author_login', login),
      element('wp:author_email', email),
      element('wp:author_display_name', displayName),
      element('wp:author_first_name', firstName),
      element('wp:author_last_name', lastName),
      ...(url === '' ? [] : [element('wp:author_url', url)]),
    ].join('')}</wp:author>`,
  );

/** The element names of a term. Categories and tags of the blog have different ones. */
function termNames(taxonomy: string) {
  if (taxonomy === 'category') {
    return {
      element: 'wp:category',
      slug: 'wp:category_nicename',
      parent: 'wp:category_parent',
      name: 'wp:cat_name',
      description: 'wp:category_description',
    };
  }
  if (taxonomy === 'post_tag')
    return { element: 'wp:tag', slug: 'wp:tag_slug', parent: null, name: 'wp:tag_name', description: 'wp:tag_description' };
  return { element: 'wp:term', slug: 'wp:term_slug', parent: 'wp:term_parent', name: 'wp:term_name', description: 'wp:term_description' };
}

function termElement({ _id, taxonomy, slug, parent, name, description }: Term, terms: Index['terms']): string {
  const names = termNames(taxonomy);
  return lines(
    1,
    `<${names.element}>${[
      element('wp:term_id', _id),
      ...(names.element === 'wp:term' ? [element('wp:term_taxonomy', taxonomy)] : []),
      element(names.slug, slug),
      ...(names.parent === null ? [] : [element(names.parent, terms.get(parent)?.slug ?? '')]),
      element(names.name, name),
      ...(description === '' ? [] : [element(names.description, description)]),
    ].join('')}</${names.element}>`,
  );
}

/** WP: parents come before their children. */
function inTreeOrder(terms: Index['terms']): Term[] {
  const ordered = new Set<Term>();
  const add = (term: Term, path: readonly Term[]): void => {
    const parent = terms.get(term.parent);
    if (parent && !path.includes(parent)) add(parent, [...path, term]);
    ordered.add(term);
  };
  for (const term of terms.values()) add(term, []);
  return [...ordered];
}

/** WP: the path and metadata of a file are stored as post meta. */
function attachmentRows({ file, image, fileSize }: Post): MetaRow[] {
  if (file === undefined) return [];
  const metadata = image ?? (fileSize === undefined ? null : { filesize: fileSize });
  return [{ key: '_wp_attached_file', value: file }, ...(metadata ? [{ key: '_wp_attachment_metadata', value: serialize(metadata) }] : [])];
}

/** Members of an item of the exported site. */
interface Exported {
  siteUrl: string;
  /** Base path of the pages of each post type. */
  paths: Readonly<Record<string, string>>;
  declarations: Declarations;
}

const linkOf = ({ _id, type, slug, status }: Post, { siteUrl, paths }: Exported): string =>
  type in paths && status === 'publish' && slug !== '' ? `${siteUrl}/${paths[type]}${slug}/` : `${siteUrl}/?p=${_id}`;

/** WP: the default of the type of a post; blog posts accept comments and pings. */
const discussionOf = ({ type, commentStatus, pingStatus }: Post): string[] => [
  element('wp:comment_status', commentStatus ?? (type === 'post' ? 'open' : 'closed')),
  element('wp:ping_status', pingStatus ?? 'open'),
];

function item(post: Post, comments: readonly Comment[], { users, terms }: Index, at: Exported): string {
  const { siteUrl, paths, declarations } = at;
  const categories = Object.entries(post.terms).flatMap(([taxonomy, ids]) =>
    ids.flatMap((id) => {
      const term = terms.get(id);
      return term ? [`<category domain="${escaped(taxonomy)}" nicename="${escaped(term.slug)}">${cdata(term.name)}</category>`] : [];
    }),
  );
  const meta = [...attachmentRows(post), ...serializedMeta(post, declarations)].map(
    ({ key, value }) => `<wp:postmeta>${element('wp:meta_key', key)}${element('wp:meta_value', value)}</wp:postmeta>`,
  );
  const optional = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [element(name, value)]);
  return `${lines(1, '<item>')}${lines(
    2,
    element('title', post.title),
    `<link>${escaped(linkOf(post, at))}</link>`,
    `<pubDate>${rssDate(post.dateGmt)}</pubDate>`,
    element('dc:creator', users.get(post.author)?.login ?? ''),
    `<guid isPermaLink="false">${escaped(siteUrl + (post.guid ?? usualGuid(post, paths)))}</guid>`,
    '<description></description>',
    element('content:encoded', post.content),
    element('excerpt:encoded', post.excerpt),
    element('wp:post_id', post._id),
    element('wp:post_date', post.date),
    element('wp:post_date_gmt', post.dateGmt),
    element('wp:post_modified', post.modified),
    element('wp:post_modified_gmt', post.modifiedGmt),
    ...discussionOf(post),
    element('wp:post_name', post.slug),
    element('wp:status', post.status),
    element('wp:post_parent', post.parent),
    element('wp:menu_order', post.menuOrder),
    element('wp:post_type', post.type),
    element('wp:post_password', post.password),
    element('wp:is_sticky', post.sticky ? 1 : 0),
    ...optional('wp:attachment_url', post.file === undefined ? undefined : `${siteUrl}/wp-content/uploads/${post.file}`),
    ...categories,
    ...(post.format === undefined
      ? []
      : [`<category domain="post_format" nicename="post-format-${escaped(post.format)}">${cdata(post.format)}</category>`]),
    ...meta,
    ...comments.map((comment) => commentElement(comment)),
  )}${lines(1, '</item>')}`;
}

/** WP: a new site has posts with the ids 1 to 3. Its importer gives posts with ids that are in use others, but does not change links in meta. */
const LAST_OF_NEW_SITE = 3;

/** A post with a higher id, and higher ids of the posts that it refers to. */
function movedBy(post: Post, by: number): Post {
  if (by === 0) return post;
  const idOf = (id: number): number => id + by;
  return {
    ...post,
    _id: idOf(post._id),
    parent: post.parent > 0 ? idOf(post.parent) : 0,
    content: withPatterns(post.content, idOf),
    meta: withReferences(post.meta, idOf),
  };
}

/** Reads a source once: the lowest id of its posts, and its comments by the post that they are on. */
async function survey(source: DatasetSource, types: readonly string[]): Promise<{ lowest: number; comments: Map<number, Comment[]> }> {
  const comments = new Map<number, Comment[]>();
  let lowest = Number.MAX_SAFE_INTEGER;
  for await (const one of source.items(throwProblem(source))) {
    if (one.kind === 'post' && types.includes(one.post.type)) lowest = Math.min(lowest, one.post._id);
    if (one.kind !== 'comment') continue;
    const list = comments.get(one.comment.post);
    if (list) list.push(one.comment);
    else comments.set(one.comment.post, [one.comment]);
  }
  return { lowest, comments };
}

/** The name and description of the site. An export contains no other options. */
async function siteTexts(source: DatasetSource): Promise<{ name: string; description: string }> {
  const options: Record<string, unknown> = {};
  for await (const one of source.items(throwProblem(source))) {
    // Options come first.
    if (one.kind !== 'options') break;
    Object.assign(options, one.options);
  }
  return { name: plainText(options['blogname']) ?? '', description: plainText(options['blogdescription']) ?? '' };
}

/**
 * Yields an export with everything in a source that the format supports.
 * @param firstId the id of the post with the lowest one; the others keep their distance. Null: ids stay as they are
 */
export async function* wxrChunks(
  source: DatasetSource,
  warn: FormatWriteOptions['warn'] = () => undefined,
  firstId: number | null = null,
  wrote: Wrote = () => undefined,
): AsyncIterable<string> {
  const { siteUrl, declarations = {} } = source;
  const paths = pathsWith(declarations);
  const types = [...Object.keys(paths), ATTACHMENT];
  const { lowest, comments } = await survey(source, types);
  const by = firstId === null || lowest === Number.MAX_SAFE_INTEGER ? 0 : firstId - lowest;
  if (lowest + by <= LAST_OF_NEW_SITE)
    warn(`WordPress export: a new WordPress site already has posts 1 to ${LAST_OF_NEW_SITE}. Use --first-id 1000 so that ids survive`);
  const { name, description } = await siteTexts(source);
  const index = await indexSource(source);
  const omissions = new Omissions();
  for (const user of index.users.values()) {
    wrote('user');
    omissions.addFields(user);
  }
  for (const term of index.terms.values()) {
    wrote('term');
    omissions.addFields(term);
  }
  yield head(name, description, source);
  for (const user of index.users.values()) yield authorElement(user);
  for (const term of inTreeOrder(index.terms)) yield termElement(term, index.terms);
  for await (const one of source.items(throwProblem(source))) {
    if (one.kind !== 'post') continue;
    if (types.includes(one.post.type)) {
      wrote(kindOfPost(one.post));
      const own = comments.get(one.post._id) ?? [];
      comments.delete(one.post._id);
      for (const comment of own) {
        wrote('comment');
        omissions.addFields(comment);
      }
      omissions.addFields(one.post);
      yield item(movedBy(one.post, by), own, index, { siteUrl, paths, declarations });
    } else omissions.add(`post of type ${one.post.type}`);
    if (one.post.type === ATTACHMENT && metaValue(one.post, '_wp_attached_file') === undefined)
      omissions.add('file: exports contain only the URLs of files');
  }
  for (const _ of [...comments.values()].flat()) omissions.add('comment that is not on a post of the export');
  yield '</channel>\n</rss>\n';
  omissions.report('WordPress export', warn);
  const registered = [...Object.keys(declarations.types ?? {}), ...Object.keys(declarations.taxonomies ?? {})];
  if (registered.length > 0)
    warn(
      `WordPress export: the declarations of ${registered.join(', ')} are omitted, since no export contains any. Import it where plugins or the content register them`,
    );
  if (index.users.size > 0) warn('WordPress export: passwords and roles of users are omitted');
}

/** @throws DatasetError */
function firstIdOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new DatasetError('--first-id', [`${JSON.stringify(text)} is not an id. Use a number such as 1000`]);
}

/** Writes a WordPress export (WXR 1.2). @throws DatasetError if the setting `first-id` is invalid */
export const writeWxr: Write = async (source, out, { warn, wrote, signal, settings = {} }) => {
  await writeTexts(out, wxrChunks(source, warn, firstIdOf(settings['first-id']), wrote), signal);
};
