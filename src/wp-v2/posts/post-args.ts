import { intval } from '../../php/cast.js';
import { checkValue, isRefused } from '../../rest/check.js';
import type { Arg, ArgError, Args, CallContext, Json, Schema } from '../../rest/route.js';
import { refusedTemplate, shownTemplate } from '../../rest/posts/templates.js';
import { EVENT_META } from '../../rest/posts/registered-meta.js';
import { POST_FORMATS } from '../../wp/model.js';
import { findPost } from '../../wp/posts.js';
import * as shared from '../args.js';
import { cleanStatuses } from './post-list.js';
import type { PostType, Support, Taxonomy } from '../../rest/posts/post-types.js';

const { ALL_CONTEXTS, textParts } = shared;

const CONTENT = textParts('Content', { raw: ['edit'], rendered: ['view', 'edit'], blockVersion: ['edit'], protected: ALL_CONTEXTS });
const EXCERPT = textParts('Excerpt', { raw: ['edit'], rendered: ALL_CONTEXTS, protected: ALL_CONTEXTS });

/** Arguments of reading one post, besides its number. */
export function readingArgs({ supports }: PostType): Args {
  return {
    context: shared.context,
    ...(supports.includes('excerpt') ? { excerpt_length: shared.integer('Number of words of an excerpt made from the content.') } : {}),
    password: shared.text('Password of the post, if it has one.'),
  };
}

/** Writable fields of a post type, in wire order. */
export function postFields(type: PostType): Args {
  const has = (support: Support, fields: Args): Args => (type.supports.includes(support) ? fields : {});
  return {
    ...DATED_FIELDS,
    password: shared.text('Password that protects content and excerpt.'),
    ...(type.hierarchical ? { parent: shared.integer('ID of the post above it.') } : {}),
    title: type.texts ? textParts('Title', type.texts.title) : shared.title(),
    ...has('editor', { content: type.texts ? textParts('Content', type.texts.content) : CONTENT }),
    ...has('author', { author: shared.author }),
    ...has('excerpt', { excerpt: EXCERPT }),
    ...has('thumbnail', { featured_media: FEATURED_MEDIA }),
    ...has('comments', DISCUSSION_FIELDS),
    ...has('formats', { format: shared.choice('Format of the post.', POST_FORMATS) }),
    ...has('page-attributes', { menu_order: shared.integer('Position among its siblings.') }),
    ...has('custom-fields', { meta: shared.metaField(type.meta) }),
    ...has('sticky', { sticky: shared.flag('Whether it stays on top of the blog.') }),
    template: template(type.templates),
    ...Object.fromEntries(type.taxonomies.map(({ base, noun }) => [base, shared.ids(`IDs of its terms: ${noun}.`)])),
  };
}

export const DATED_FIELDS: Args = {
  date: shared.instant('Date of publication, in the time of the site.', { type: ['string', 'null'] }),
  date_gmt: shared.instant('Date of publication, in UTC.', { type: ['string', 'null'] }),
  slug: shared.text('Name of the object in its address.'),
  status: shared.choice('Status of the object.', shared.WRITABLE_STATUSES, { validate: writableStatus, sanitize: (value) => value ?? '' }),
};

/** WP: a post may keep the status that it has, whatever it is. */
async function writableStatus(value: Json, { request, site }: CallContext): Promise<boolean | ArgError> {
  const checked = checkValue(value, { type: 'string', enum: shared.WRITABLE_STATUSES }, 'status');
  if (!isRefused(checked)) return true;
  const post = await findPost(site.store, intval(request.get('id')));
  return post?.status === value || checked;
}

export const FEATURED_MEDIA = shared.integer('ID of its featured image.');

/** A template of the theme. WP: one of those there are for the type, or the one that the post has. */
export const template = (names: readonly string[]): Arg =>
  shared.text('Template of the theme that displays it.', {
    validate: async (value, { request, site }) => {
      const post = await findPost(site.store, intval(request.get('id')));
      return refusedTemplate(value, names, post ? shownTemplate(post) : '') ?? true;
    },
  });

export const DISCUSSION_FIELDS: Args = {
  comment_status: shared.choice('Whether it takes comments.', shared.OPEN_OR_CLOSED),
  ping_status: shared.choice('Whether it takes pings.', shared.OPEN_OR_CLOSED),
};

/** The meta of what is no post of a type with meta of its own (WP: every type with custom fields shows these). */
export const SHARED_META = shared.metaField(EVENT_META);

/** The arguments of a list of posts in which post types differ. */
export interface PostListOptions {
  byAuthor?: boolean;
  byMenuOrder?: boolean;
  byParent?: boolean;
  order?: 'asc' | 'desc';
  orderby?: Arg;
  perPage?: number;
  status?: Arg;
}

/** Arguments of a list of posts that are not about terms, in wire order. */
export const postListArgs = (options: PostListOptions = {}): Args => ({
  ...shared.paged(options.perPage ?? 10),
  search: shared.search,
  after: shared.after,
  modified_after: shared.modifiedAfter,
  ...(options.byAuthor ? AUTHOR_FILTERS : {}),
  before: shared.before,
  modified_before: shared.modifiedBefore,
  exclude: shared.exclude,
  include: shared.include,
  ...(options.byMenuOrder ? { menu_order: MENU_ORDER_FILTER } : {}),
  search_semantics: shared.searchSemantics,
  offset: shared.offset,
  order: shared.order(options.order ?? 'desc'),
  orderby: options.orderby ?? shared.orderby('date', shared.POST_ORDERS),
  ...(options.byParent ? PARENT_FILTERS : {}),
  search_columns: shared.list(
    'Columns in which to search.',
    { enum: ['post_title', 'post_content', 'post_excerpt'], type: 'string' },
    { default: [] },
  ),
  slug: shared.slugs,
  status: options.status ?? statusFilter(),
});

const statusFilter = (guardedAs?: string): Arg =>
  shared.list(
    'Statuses to keep.',
    { enum: shared.LISTED_STATUSES, type: 'string' },
    { default: 'publish', sanitize: (value, context) => cleanStatuses(value, context, 'publish', shared.LISTED_STATUSES, guardedAs) },
  );

const AUTHOR_FILTERS: Args = {
  author: shared.idFilter('IDs of authors whose posts to keep.'),
  author_exclude: shared.idFilter('IDs of authors whose posts to leave out.'),
};

const PARENT_FILTERS: Args = {
  parent: shared.idFilter('IDs of parents whose children to keep.'),
  parent_exclude: shared.idFilter('IDs of parents whose children to leave out.'),
};

export const MENU_ORDER_FILTER = shared.integer('Keep what stands at this position.');

/** Arguments of the list of a post type, in wire order. */
export function postFilters(type: PostType): Args {
  const ordered = type.supports.includes('page-attributes');
  const options: PostListOptions = {
    byAuthor: type.supports.includes('author'),
    byMenuOrder: ordered,
    byParent: type.hierarchical,
    status: statusFilter(type.name),
    ...(ordered ? { orderby: shared.orderby('date', [...shared.POST_ORDERS, 'menu_order']) } : {}),
  };
  return {
    ...postListArgs(options),
    ...termFilters(type.taxonomies),
    ...(type.supports.includes('sticky') ? STICKY_FILTERS : {}),
    ...(type.supports.includes('formats') ? { format: FORMAT_FILTER } : {}),
  };
}

const STICKY_FILTERS: Args = {
  sticky: shared.flag('Keep only what is sticky, or only what is not.'),
  ignore_sticky: shared.flag('Leave sticky posts in their place instead of moving them to the top.', { default: true }),
};

const FORMAT_FILTER = shared.list('Formats to keep.', { enum: POST_FORMATS, type: 'string' }, { uniqueItems: true });

/** Filters of a list by the terms of its taxonomies. */
export function termFilters(taxonomies: readonly Taxonomy[]): Args {
  if (taxonomies.length === 0) return {};
  const filters = taxonomies.flatMap((taxonomy): [string, Arg][] => [
    [taxonomy.base, termFilter(`Keep posts with these terms: ${taxonomy.noun}.`, taxonomy, true)],
    [`${taxonomy.base}_exclude`, termFilter(`Leave out posts with these terms: ${taxonomy.noun}.`, taxonomy, false)],
  ]);
  return {
    tax_relation: shared.choice('Whether the filters of all taxonomies have to hold, or one of them.', ['AND', 'OR']),
    ...Object.fromEntries(filters),
  };
}

/** A list of term IDs, or a query that also says how to combine them. WP: `operator` is for keeping, not for leaving out. */
function termFilter(description: string, { hierarchical }: Taxonomy, keeps: boolean): Arg {
  const properties: Record<string, Schema> = {
    terms: { description: 'IDs of terms.', type: 'array', items: { type: 'integer' }, default: [] },
    ...(hierarchical ? { include_children: { description: 'Whether terms below count too.', type: 'boolean', default: false } } : {}),
    ...(keeps ? { operator: { description: 'All of the terms, or any.', type: 'string', enum: ['AND', 'OR'], default: 'OR' } } : {}),
  };
  return {
    description,
    type: ['object', 'array'],
    oneOf: [
      { title: 'Term ID List', description: 'IDs of terms, any of which will do.', type: 'array', items: { type: 'integer' } },
      {
        title: 'Term ID Taxonomy Query',
        description: 'Terms and how to use them.',
        type: 'object',
        properties,
        additionalProperties: false,
      },
    ],
  };
}
