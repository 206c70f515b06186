import { isNumeric } from '../php/cast.js';
import { canEdit, canRead } from '../wp/capabilities.js';
import { filterContent, filterExcerpt } from '../wp/formatting/content.js';
import { excerptOf } from '../wp/formatting/excerpt.js';
import { hasBlocks } from '../wp/formatting/blocks.js';
import { EVENT, ZERO_DATE, metaValue, type Post, type Term, type User } from '../wp/model.js';
import { guidPath, permalink, permalinkBase } from '../wp/permalinks.js';
import { termsOf, thumbnail, type Related } from '../wp/related.js';
import { shownTitle } from '../wp/rendered.js';
import { siteToUtc } from '../wp/timezones.js';
import { emptyMeta, presentMeta } from './post-meta.js';
import { postLinks } from './post-links.js';
import type { CorePostType, TypeTaxonomy } from './post-types.js';
import type { Site } from '../wp/site.js';
import type { Json } from '../rest/route.js';

export type Context = 'view' | 'embed' | 'edit';

/** For whom and how posts are shown. */
export interface PostView {
  site: Site;
  user: User | null;
  context: Context;
  /** Password that came with the request. */
  password: string | undefined;
  /** Words of an excerpt that is made from the content; the usual number when absent. */
  excerptWords?: number | undefined;
  related: Related;
  /** The slugs that posts shown for editing would get from their titles, by id. */
  slugs: ReadonlyMap<number, string>;
}

const iso = (stored: string): string => stored.replace(' ', 'T');

/** WP: what was never dated in UTC shows it all the same, from the local date. */
const isoUtc = (local: string, utc: string, site: Site): string => iso(utc === ZERO_DATE ? siteToUtc(local, site.options.timezone) : utc);

/** WP: for editing, those who may edit see behind a password. */
const seesBehindPassword = (post: Post, { context, user, password }: PostView): boolean =>
  (context === 'edit' && canEdit(user, post)) || password === post.password;

const isWithheld = (post: Post, view: PostView): boolean => post.password !== '' && !seesBehindPassword(post, view);

const raw = (text: string, { context }: PostView): { raw?: string } => (context === 'edit' ? { raw: text } : {});

function content(post: Post, view: PostView): Json {
  const made = (): string => post.rendered?.content ?? filterContent(post.content, { siteUrl: view.site.url, postId: post._id });
  const rendered = isWithheld(post, view) ? '' : made();
  return {
    ...raw(post.content, view),
    rendered,
    protected: post.password !== '',
    ...(view.context === 'edit' ? { block_version: hasBlocks(post.content) ? 1 : 0 } : {}),
  };
}

function excerpt(post: Post, view: PostView): Json {
  const options = { siteUrl: view.site.url, postId: post._id };
  const made = (): string => filterExcerpt(post.excerpt || excerptOf(post.content, view.excerptWords, options), options);
  return {
    ...raw(post.excerpt, view),
    rendered: isWithheld(post, view) ? '' : (post.rendered?.excerpt ?? made()),
    protected: post.password !== '',
  };
}

const byName = (a: Term, b: Term): number => (a.nameKey < b.nameKey ? -1 : a.nameKey > b.nameKey ? 1 : a._id - b._id);

/** Terms of a post, sorted by name (WP). */
const sortedTerms = (post: Post, taxonomy: TypeTaxonomy, { related }: PostView): Term[] =>
  termsOf(post, taxonomy.name, related).toSorted(byName);

/** The class of a term: its slug as far as a class can hold it. WP: one that is a number or nothing gives way to the id. */
function classOf({ slug, _id }: Term): string {
  const clean = slug.replace(/%[a-f0-9]{2}|[^a-z0-9_-]/gi, '');
  return isNumeric(clean) || /^-*$/.test(clean) ? String(_id) : clean;
}

function classes(post: Post, type: CorePostType, view: PostView, media: number): string[] {
  const thumbnailClass = media === 0 ? [] : ['has-post-thumbnail'];
  const perTerm = type.taxonomies.flatMap((taxonomy) =>
    sortedTerms(post, taxonomy, view).map((term) => `${taxonomy.classPrefix}-${classOf(term)}`),
  );
  const categories = type.taxonomies.filter(({ hierarchical }) => hierarchical).flatMap((taxonomy) => sortedTerms(post, taxonomy, view));
  return [
    `post-${post._id}`,
    type.name,
    `type-${type.name}`,
    `status-${post.status}`,
    // WP: the password that came with a request does not count here.
    ...(post.password === '' ? thumbnailClass : ['post-password-required']),
    'hentry',
    ...perTerm,
    // TEC: once more under the name by which its own styles know them.
    ...categories.map(({ slug }) => `cat_${slug}`),
  ];
}

/** TEC: meta of what a password protects are shown to everybody. */
function meta(post: Post, type: CorePostType, view: PostView): Json {
  const hidden = isWithheld(post, view) && !view.site.quirks.has('protected-meta-is-shown');
  return hidden ? emptyMeta(type.meta) : presentMeta(post, type.meta);
}

/** TEC: that an event takes whole days is shown where no other meta are. */
function embeddedMeta(post: Post, type: CorePostType, view: PostView): Record<string, Json> {
  const shown = meta(post, type, view) as Record<string, Json>;
  return type.name === EVENT && shown._EventAllDay === true ? { meta: { _EventAllDay: true } } : {};
}

/** The fields of a post, without its links. */
export function postFields(post: Post, type: CorePostType, view: PostView): Record<string, Json> {
  const { site, user, context } = view;
  const media = thumbnail(post, view.related)?._id ?? 0;
  const link = permalink(post, site, canRead(user, post));
  const title = { ...raw(post.title, view), rendered: shownTitle(post) };
  if (context === 'embed') {
    return {
      id: post._id,
      date: iso(post.date),
      slug: post.slug,
      type: type.name,
      link,
      title,
      excerpt: excerpt(post, view),
      author: post.author,
      featured_media: media,
      ...embeddedMeta(post, type, view),
    };
  }
  const guid = `${site.url}${guidPath(post, site)}`;
  const editing = context === 'edit';
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
    content: content(post, view),
    excerpt: excerpt(post, view),
    author: post.author,
    featured_media: media,
    template: metaValue(post, '_wp_page_template') ?? '',
    meta: meta(post, type, view),
    ...Object.fromEntries(type.taxonomies.map((taxonomy) => [taxonomy.base, sortedTerms(post, taxonomy, view).map(({ _id }) => _id)])),
    ...(type.viewable && editing
      ? {
          permalink_template: `${site.url}/${permalinkBase(type.name, site)}/%pagename%/`,
          generated_slug: view.slugs.get(post._id) ?? '',
        }
      : {}),
    ...(type.viewable ? { class_list: classes(post, type, view, media) } : {}),
  };
}

/** A post as the core API shows it. */
export function presentPost(post: Post, type: CorePostType, view: PostView): Json {
  const media = thumbnail(post, view.related)?._id ?? 0;
  return {
    ...postFields(post, type, view),
    _links: postLinks(post, type, view.site, view.user, media, view.context === 'edit'),
  };
}
