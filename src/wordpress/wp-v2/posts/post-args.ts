import { intval } from '../../../base/php/cast.js';
import { checkValue, isRefused } from '../../rest/check.js';
import type { ParamsOf } from '../../rest/params.js';
import { Refused, type Arg, type ArgError, type Args, type CallContext, type Json, type Schema } from '../../rest/route.js';
import { refusedTemplate, shownTemplate, sharedMetaSchemas } from '../../rest/posts/post-types.js';
import type { RestType, Support, TaxonomyFacts } from '../../rest/posts/post-types.js';
import { POST_FORMATS } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import * as shared from '../args.js';
import { fields as writable, onlyIf, type Editing } from '../declare.js';
import type { QuirkName } from '../../quirks.js';
import type { Registry } from '../../types/registry.js';
import { parseList } from '../../rest/request.js';
import { sanitizeTitle } from '../../formatting/sanitize.js';
import { canWithPosts, type TypeRights } from '../../users/capabilities.js';

/**
 * The sanitized statuses of a list. WP: `publish` is open to everybody; others require the permission to edit, `private` the permission to
 * read private posts; each is validated separately.
 * @param usual the status that is open to everybody
 * @param known all statuses
 * @param type post type whose capabilities apply
 */
function cleanStatuses(
  value: Json,
  { request: { user } }: CallContext,
  usual: string,
  known: readonly string[],
  type: TypeRights,
): string[] | Refused {
  const statuses = parseList(value).map((text) => sanitizeTitle(text));
  for (const status of statuses) {
    if (status === usual) continue;
    if (!canWithPosts(user, 'edit', type) && !(status === 'private' && canWithPosts(user, 'read_private', type)))
      return new Refused({ code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: user ? 403 : 401 } });
    const checked = checkValue([status], { type: 'array', items: { type: 'string', enum: known } }, 'status');
    if (isRefused(checked)) return new Refused(checked);
  }
  return statuses;
}

/** The filter of a list by statuses. @param type post type whose capabilities count @param known as for `cleanStatuses` */
export const statusFilter = (type: TypeRights, known: readonly string[], usual = 'publish') =>
  shared.list(
    'Only results with these statuses.',
    { enum: known, type: 'string' },
    { default: usual, sanitize: (value, context) => cleanStatuses(value, context, usual, known, type) },
  );

const { ALL_CONTEXTS, textParts } = shared;

const CONTENT = textParts('Content', { raw: ['edit'], rendered: ['view', 'edit'], blockVersion: ['edit'], protected: ALL_CONTEXTS });
const EXCERPT = textParts('Excerpt', { raw: ['edit'], rendered: ALL_CONTEXTS, protected: ALL_CONTEXTS });

/** Arguments of reading a post, besides its id. */
export const readingArgs = ({ supports }: RestType) => ({
  context: shared.context,
  ...onlyIf(supports.includes('excerpt'), {
    excerpt_length: shared.integer('Number of words of excerpts generated from the content.'),
  }),
  password: shared.text('Password of the post, if it has one.'),
});

export const ITEM = { id: shared.id('object') };

export const DELETION = { ...ITEM, force: shared.force };

/** Writable fields of a post type, in wire order. */
export function postArgs(type: RestType) {
  const has = <Fields extends Args>(support: Support, declared: Fields) => {
    const quirk = type.supportsUnder?.[support];
    return quirk === undefined ? onlyIf(type.supports.includes(support), declared) : onlyUnder(quirk, declared);
  };
  return writable({
    ...datedFields(type.registry),
    password: shared.text('Password that protects content and excerpt.'),
    ...onlyIf(type.hierarchical, { parent: shared.integer('ID of the parent post.') }),
    title: type.texts ? textParts('Title', type.texts.title) : shared.title(),
    ...has('editor', { content: type.texts ? textParts('Content', type.texts.content) : CONTENT }),
    ...has('author', { author: shared.author }),
    ...has('excerpt', { excerpt: EXCERPT }),
    ...has('thumbnail', { featured_media: FEATURED_MEDIA }),
    ...has('comments', DISCUSSION_FIELDS),
    ...has('formats', { format: shared.choice('Format of the post.', POST_FORMATS) }),
    ...has('page-attributes', { menu_order: shared.integer('Order among siblings.') }),
    ...has('custom-fields', { meta: shared.metaField(type.meta) }),
    ...has('sticky', { sticky: shared.flag('Whether the post is sticky.') }),
    template: template(type.templates),
    ...Object.fromEntries(type.taxonomies.map(({ base, noun }) => [base, shared.ids(`IDs of the assigned terms: ${noun}.`)])),
  });
}

const onlyUnder = <Fields extends Args>(only: QuirkName, declared: Fields): Editing<Fields> =>
  Object.fromEntries(Object.entries(declared).map(([name, arg]) => [name, { ...arg, only }])) as Editing<Fields>;

/** The statuses for creating or updating a post. */
export type PostFields = ParamsOf<ReturnType<typeof postArgs>>;

export const datedFields = (registry: Registry) => ({
  date: shared.text('Publication date in the time zone of the site.', { format: 'date-time', type: ['string', 'null'] }),
  date_gmt: shared.text('Publication date in UTC.', { format: 'date-time', type: ['string', 'null'] }),
  slug: shared.text('Slug of the object.'),
  status: shared.choice('Status of the object.', shared.writableStatuses(registry), {
    validate: writableStatus,
    sanitize: (value) => (typeof value === 'string' ? value : ''),
  }),
});

/** WP: a post may keep its status. */
async function writableStatus(value: Json, { request, site }: CallContext): Promise<boolean | ArgError> {
  const checked = checkValue(value, { type: 'string', enum: shared.writableStatuses(site.registry) }, 'status');
  if (!isRefused(checked)) return true;
  const post = await findPost(site.store, intval(request.get('id')));
  return post?.status === value || checked;
}

export const FEATURED_MEDIA = shared.integer('ID of the featured image.');

/**
 * A template of the theme. WP: one that the type has, or the one that the post has. TEC: anonymous callers do not see the templates of
 * the plugin.
 */
export const template = (names: readonly string[]) =>
  shared.text('Theme template that displays the object.', {
    validate: async (value, { request, site }) => {
      const post = await findPost(site.store, intval(request.get('id')));
      return refusedTemplate(value, request.user ? names : [], post ? shownTemplate(post) : '') ?? true;
    },
  });

export const DISCUSSION_FIELDS = {
  comment_status: shared.choice('Whether comments are open.', shared.OPEN_OR_CLOSED),
  ping_status: shared.choice('Whether pings are open.', shared.OPEN_OR_CLOSED),
};

/** The meta of posts whose type registers none (WP: every type with custom fields shows these). */
export const sharedMetaField = (type: string, registry: Registry) => shared.metaField(sharedMetaSchemas(type, registry));

/** The arguments of a list of posts in which post types differ. */
interface ListOptions {
  status: ReturnType<typeof statusFilter>;
  byAuthor?: boolean;
  byMenuOrder?: boolean;
  byParent?: boolean;
  order?: 'asc' | 'desc';
  orderby?: [first: string, choices: readonly string[]];
  perPage?: number;
}

/** Arguments of a list of posts that are not about terms, in wire order. */
export const postListArgs = ({ status, byAuthor = false, byMenuOrder = false, byParent = false, ...sorting }: ListOptions) => ({
  ...shared.paged(sorting.perPage ?? 10),
  search: shared.search,
  after: shared.after,
  modified_after: shared.modifiedAfter,
  ...onlyIf(byAuthor, AUTHOR_FILTERS),
  before: shared.before,
  modified_before: shared.modifiedBefore,
  exclude: shared.exclude,
  include: shared.include,
  ...onlyIf(byMenuOrder, { menu_order: MENU_ORDER_FILTER }),
  search_semantics: shared.searchSemantics,
  offset: shared.offset,
  order: shared.order(sorting.order ?? 'desc'),
  orderby: shared.orderby(...(sorting.orderby ?? (['date', shared.POST_ORDERS] as const))),
  ...onlyIf(byParent, PARENT_FILTERS),
  search_columns: shared.list(
    'Columns to search.',
    { enum: ['post_title', 'post_content', 'post_excerpt'], type: 'string' },
    { default: [] },
  ),
  slug: shared.slugs,
  status,
});

const AUTHOR_FILTERS = {
  author: shared.idFilter('Only posts by these authors, by ID.'),
  author_exclude: shared.idFilter('Exclude posts by these authors, by ID.'),
};

const PARENT_FILTERS = {
  parent: shared.idFilter('Only children of these objects, by ID.'),
  parent_exclude: shared.idFilter('Exclude children of these objects, by ID.'),
};

export const MENU_ORDER_FILTER = shared.integer('Only objects with this menu order.');

const featureFilters = ({ supports }: RestType) => ({
  ...onlyIf(supports.includes('sticky'), {
    sticky: shared.flag('Only sticky posts (true), or only other posts (false).'),
    ignore_sticky: shared.flag('Keep sticky posts in their place instead of moving them to the top.', { default: true }),
  }),
  ...onlyIf(supports.includes('formats'), {
    format: shared.list('Only posts with these formats.', { enum: POST_FORMATS, type: 'string' }, { uniqueItems: true }),
  }),
});

/** Arguments of the list of a post type, in wire order. */
export function postFilters(type: RestType) {
  const ordered = type.supports.includes('page-attributes');
  const filters = postListArgs({
    status: statusFilter(type, shared.listedStatuses(type.registry)),
    byAuthor: type.supports.includes('author'),
    byMenuOrder: ordered,
    byParent: type.hierarchical,
    ...(ordered ? { orderby: ['date', [...shared.POST_ORDERS, 'menu_order']] } : {}),
  });
  return { ...filters, ...termFilters(type.taxonomies), ...featureFilters(type) };
}

/** A call of a list of posts, of media too. */
export type PostListCall = CallContext & {
  params: ParamsOf<ReturnType<typeof postListArgs>> & Partial<ParamsOf<ReturnType<typeof featureFilters>>>;
};

export function termFilters(taxonomies: readonly TaxonomyFacts[]): Args {
  if (taxonomies.length === 0) return {};
  const filters = taxonomies.flatMap((taxonomy): [string, Arg][] => [
    [taxonomy.base, termFilter(`Only posts with these terms: ${taxonomy.noun}.`, taxonomy, true)],
    [`${taxonomy.base}_exclude`, termFilter(`Exclude posts with these terms: ${taxonomy.noun}.`, taxonomy, false)],
  ]);
  return {
    tax_relation: shared.choice('Whether all taxonomy filters must match, or any of them.', ['AND', 'OR']),
    ...Object.fromEntries(filters),
  };
}

/** A list of term IDs, or a query that also says how to combine them. WP: `operator` is for inclusion, not for exclusion. */
function termFilter(description: string, { hierarchical }: TaxonomyFacts, keeps: boolean): Arg {
  const properties: Record<string, Schema> = {
    terms: { description: 'IDs of terms.', type: 'array', items: { type: 'integer' }, default: [] },
    ...(hierarchical ? { include_children: { description: 'Whether to include child terms.', type: 'boolean', default: false } } : {}),
    ...(keeps
      ? { operator: { description: 'Whether all terms must match, or any of them.', type: 'string', enum: ['AND', 'OR'], default: 'OR' } }
      : {}),
  };
  return {
    description,
    type: ['object', 'array'],
    oneOf: [
      { title: 'Term ID List', description: 'IDs of terms; posts with any of them match.', type: 'array', items: { type: 'integer' } },
      {
        title: 'Term ID Taxonomy Query',
        description: 'Terms, and how to match them.',
        type: 'object',
        properties,
        additionalProperties: false,
      },
    ],
  };
}
