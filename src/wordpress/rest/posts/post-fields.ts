import { isEmpty } from '../../../base/php/cast.js';
import { urldecode } from '../../../base/php/query-string.js';
import { canEdit, canRead } from '../../users/capabilities.js';
import { Counters } from '../../formatting/block-parts/counters.js';
import { filterContent, filterExcerpt, excerptOf } from '../../formatting/content.js';
import { hasBlocks } from '../../formatting/blocks.js';
import { metaValue, ZERO_DATE, type Post, type Term, type User } from '../../model.js';
import { classesOfPost } from '../../posts/post-classes.js';
import { guidPath, permalink, permalinkPattern } from '../../posts/permalinks.js';
import { isInRest } from '../../types/post-type.js';
import { termsOf, thumbnail, type Related } from '../../posts/related.js';
import { renderOptions, shownTitle, type Asked } from '../../posts/rendered.js';
import { siteToUtc } from '../../timezones.js';
import { supportsOf } from '../../types/registry.js';
import { discussionOf } from './discussion.js';
import { shownTemplate, type RestType, type Support, type TaxonomyFacts, type TextParts, emptyMeta, presentMeta } from './post-types.js';
import type { Context } from '../params.js';
import type { PostOpener } from '../../users/post-password.js';
import type { Site } from '../../site.js';
import type { Json } from '../route.js';
import type { RestRequest } from '../request.js';
import { withRestFields } from '../rest-fields/shown.js';

declare module '../../types/hooks.js' {
  interface Hooks {
    /** Replaces registered meta of a post that is shown (WP: `get_post_metadata`). @param shown as stored */
    shownMeta: (shown: Record<string, Json>, post: Post, view: MetaView) => Record<string, Json>;
  }
}

/** Who sees meta, and what is loaded of the post, if its type may have that. */
export interface MetaView extends Pick<PostView, 'site' | 'user'> {
  related?: Related;
}

/** Registered meta of a post as it is shown, with what plugins replace. */
export const withShownMeta = (stored: Record<string, Json>, post: Post, view: MetaView): Record<string, Json> =>
  view.site.registry.hooks('shownMeta').reduce((shown, replace) => replace(shown, post, view), stored);

/** The context in which posts are shown. */
export interface PostView {
  site: Site;
  user: User | null;
  context: Context;
  /** Opens password-protected posts; null: nothing does. */
  password: PostOpener | null;
  /** Number of words of a generated excerpt; absent: the default. */
  excerptWords?: number | undefined;
  related: Related;
  /** Posts to which the featured images are attached, by id. */
  imageParents?: ReadonlyMap<number, Post>;
  /** The slugs that posts in the edit context would get from their titles, by id. */
  slugs: ReadonlyMap<number, string>;
  asked: Asked;
}

/** The parts of a request that texts show, and the numbers that are counted over it. */
export const askedBy = ({ url, user }: RestRequest): Asked => ({ counters: new Counters(), request: { url, isSignedIn: user !== null } });

export const iso = (stored: string): string => stored.replace(' ', 'T');

/** WP: a post without a date in UTC shows one, derived from the local date. */
export const isoUtc = (local: string, utc: string, site: Site): string =>
  iso(utc === ZERO_DATE ? siteToUtc(site.zones, local, site.options.timezone) : utc);

/** WP: in the edit context, users who may edit see password-protected content. */
const seesBehindPassword = (post: Post, { context, user, password, site }: PostView): boolean =>
  (context === 'edit' && canEdit(user, post, site.registry)) || password?.opens(post) === true;

/** PHP: `0` is not a password. */
const isProtected = ({ password }: Post): boolean => !isEmpty(password);

/** Whether a password hides the texts of a post from this caller. */
export const isWithheld = (post: Post, view: PostView): boolean => isProtected(post) && !seesBehindPassword(post, view);

const raw = (text: string, { context }: PostView, parts?: TextParts): { raw?: string } =>
  context === 'edit' || parts?.raw.includes(context) ? { raw: text } : {};

function content(post: Post, view: PostView, parts?: TextParts): Json {
  const made = (): string => post.rendered?.content ?? filterContent(post.content, renderOptions(view, post));
  const rendered = isWithheld(post, view) ? '' : made();
  return {
    ...raw(post.content, view, parts),
    ...(parts?.rendered?.includes(view.context) === false || (parts && !parts.rendered) ? {} : { rendered }),
    protected: isProtected(post),
    ...((parts?.blockVersion ?? ['edit']).includes(view.context) ? { block_version: hasBlocks(post.content) ? 1 : 0 } : {}),
  };
}

function excerpt(post: Post, view: PostView): Json {
  const options = renderOptions(view, post);
  const made = (): string => filterExcerpt(post.excerpt || excerptOf(post.content, view.excerptWords, options), options);
  return {
    ...raw(post.excerpt, view),
    rendered: isWithheld(post, view) ? '' : (post.rendered?.excerpt ?? made()),
    protected: isProtected(post),
  };
}

const byName = (a: Term, b: Term): number => (a.nameKey < b.nameKey ? -1 : a.nameKey > b.nameKey ? 1 : a._id - b._id);

/** Terms of a post, sorted by name (WP). */
const sortedTerms = (post: Post, taxonomy: TaxonomyFacts, { related }: PostView): Term[] =>
  termsOf(post, taxonomy.name, related).toSorted(byName);

/** WP: the format of posts without one. */
const STANDARD = 'standard';

/** TEC: meta of password-protected posts is shown to everybody. */
function meta(post: Post, type: RestType, view: PostView): Json {
  const hidden = isWithheld(post, view) && !view.site.quirks.has('protected-meta-is-shown');
  const stored = hidden ? emptyMeta(type.meta) : presentMeta(post, type.meta);
  const all = hidden ? stored : withShownMeta(stored, post, view);
  const left = [...(type.outerMeta ?? []), ...(view.context === 'edit' ? [] : type.editedMeta)];
  return left.length === 0 ? all : Object.fromEntries(Object.entries(all ?? {}).filter(([key]) => !left.includes(key)));
}

/** WP: additional meta of patterns, shown in every context, but empty where other meta is not shown. */
const outerMeta = (post: Post, { outerMeta: keys = [] }: RestType, { context }: PostView): Record<string, Json> =>
  Object.fromEntries(keys.map((key) => [key, context === 'embed' ? '' : (metaValue(post, key) ?? '')]));

/** TEC: the all-day flag of an event is shown even where no other meta is. */
function embeddedMeta(post: Post, type: RestType, view: PostView): Record<string, Json> {
  const shown = meta(post, type, view) as Record<string, Json>;
  const flags = type.embeddedFlags.filter((key) => shown[key] === true);
  return flags.length === 0 ? {} : { meta: Object.fromEntries(flags.map((key) => [key, true])) };
}

/** The features of a type, each with its fields, in wire order. */
function supported(post: Post, type: RestType, view: PostView, media: number): Record<string, Json> {
  const features = supportsOf(type, view.site.quirks);
  const has = (feature: Support, fields: () => Record<string, Json>): Record<string, Json> => (features.includes(feature) ? fields() : {});
  return {
    ...has('editor', () => ({ content: content(post, view, type.texts?.content) })),
    ...has('excerpt', () => ({ excerpt: excerpt(post, view) })),
    ...has('author', () => ({ author: post.author })),
    ...has('thumbnail', () => ({ featured_media: media })),
    ...(type.hierarchical ? { parent: post.parent } : {}),
    ...has('page-attributes', () => ({ menu_order: post.menuOrder })),
    ...has('comments', () => discussion(post, view.site)),
    ...has('sticky', () => ({ sticky: post.sticky ?? false })),
    template: shownTemplate(post),
    ...has('formats', () => ({ format: post.format ?? STANDARD })),
    ...has('custom-fields', () => ({ meta: meta(post, type, view) })),
  };
}

function discussion(post: Post, site: Site): Record<string, Json> {
  const { comments, pings } = discussionOf(post, site);
  return { comment_status: comments, ping_status: pings };
}

/** The fields of a post that is embedded in another response. */
const EMBEDDED = ['excerpt', 'author', 'featured_media'];

/** WP: the content and the status of a navigation are embedded. */
export const isEmbedded = ({ texts }: RestType): boolean => texts?.content.raw.includes('embed') === true;

function titleField(post: Post, { texts }: RestType, view: PostView): Json {
  const rendered = shownTitle(post);
  if (!texts) return { ...raw(post.title, view), rendered };
  const { title: parts } = texts;
  const shown = { ...raw(post.title, view, parts), ...(parts.rendered?.includes(view.context) ? { rendered } : {}) };
  // PHP: an empty map is an empty list.
  return Object.keys(shown).length === 0 ? [] : shown;
}

/** The fields of a post, without its links. */
export const postFields = (post: Post, type: RestType, view: PostView): Record<string, Json> =>
  withRestFields(ownFields(post, type, view), post, type.name, view, () => canEdit(view.user, post, view.site.registry));

/** The fields that WordPress has. */
function ownFields(post: Post, type: RestType, view: PostView): Record<string, Json> {
  const { site, user, context } = view;
  const known = view.related.posts;
  const media = thumbnail(post, view.related)?._id ?? 0;
  const link = permalink(post, site, canRead(user, post, site.registry), known);
  const title = titleField(post, type, view);
  const features = supported(post, type, view, media);
  if (context === 'embed') {
    return {
      id: post._id,
      date: iso(post.date),
      slug: post.slug,
      ...(isEmbedded(type) ? { status: post.status } : {}),
      type: type.name,
      link,
      title,
      ...Object.fromEntries(
        Object.entries(features).filter(([name]) => EMBEDDED.includes(name) || (name === 'content' && isEmbedded(type))),
      ),
      ...embeddedMeta(post, type, view),
      ...outerMeta(post, type, view),
    };
  }
  const guid = `${site.url}${guidPath(post, site)}`;
  const editing = context === 'edit';
  const slug = view.slugs.get(post._id) ?? '';
  return {
    id: post._id,
    date: iso(post.date),
    date_gmt: isoUtc(post.date, post.dateGmt, site),
    guid: { rendered: guid, ...(editing ? { raw: guid } : {}) },
    modified: iso(post.modified),
    modified_gmt: isoUtc(post.modified, post.modifiedGmt, site),
    ...(editing ? { password: post.password } : {}),
    slug: post.slug,
    status: post.status,
    type: type.name,
    link,
    title,
    ...features,
    ...Object.fromEntries(
      type.taxonomies.flatMap((taxonomy) =>
        isInRest(taxonomy, site) ? [[taxonomy.base, sortedTerms(post, taxonomy, view).map(({ _id }) => _id)]] : [],
      ),
    ),
    ...outerMeta(post, type, view),
    ...(type.viewable && editing
      ? { permalink_template: permalinkPattern({ ...post, slug }, site, known), generated_slug: urldecode(slug) }
      : {}),
    ...(type.viewable
      ? { class_list: classesOfPost(post, type.registry, media > 0, (taxonomy) => termsOf(post, taxonomy, view.related)) }
      : {}),
  };
}
