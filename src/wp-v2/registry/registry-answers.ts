import { toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { filterFields } from '../../rest/fields.js';
import { RestResponse } from '../../rest/response.js';
import { canManageTerms } from '../../wp/users/capabilities.js';
import { capabilitiesOf } from '../../wp/users/roles.js';
import type { User } from '../../wp/model.js';
import type { Site } from '../../wp/site.js';
import type { Answers } from '../declare.js';
import { withCuries } from '../posts/post-links.js';
import { HIDDEN_TAXONOMIES } from '../../wp/types/core.js';
import type { PostType, Taxonomy } from '../../wp/types/post-type.js';
import { allTaxonomies, findPostType, findTaxonomy, isHiddenType, postTypes, typesWith } from '../../wp/types/registry.js';
import { taxonomyLabels, typeLabels } from './registry-labels.js';
import {
  CATEGORIES,
  EMBED_TYPE,
  EVENT_CATEGORIES,
  EVENT_TYPE,
  ORGANIZER_TYPE,
  PAGE_TYPE,
  POST_TYPE,
  TAGS,
  VENUE_TYPE,
} from '../../rest/posts/post-types.js';
import { refusal } from '../../rest/permissions.js';
import type { CallContext, Json, Permission } from '../../rest/route.js';

const has = (user: User | null, capability: string): boolean => user !== null && capabilitiesOf(user.role).includes(capability);

const contextOf = ({ request }: CallContext): string => toStr(request.get('context') ?? 'view');

/** Collections that are answered to everybody. WP: types and taxonomies link to the others all the same. */
const OPEN: readonly string[] = [
  POST_TYPE,
  PAGE_TYPE,
  EVENT_TYPE,
  VENUE_TYPE,
  ORGANIZER_TYPE,
  EMBED_TYPE,
  CATEGORIES,
  TAGS,
  EVENT_CATEGORIES,
  { base: 'media' },
].map(({ base }) => base);

function links(site: Site, collection: string, base: string): Json {
  const isOpen = OPEN.includes(base) || site.quirks.has('links-lead-to-refusals');
  return withCuries({
    collection: [{ href: site.restUrl(`/wp/v2/${collection}`) }],
    ...(isOpen ? { 'wp:items': [{ href: site.restUrl(`/wp/v2/${base}`) }] } : {}),
  });
}

/** WP: what dealing with a post type takes, by what it is for. */
const typeCapabilities = ({ capability: [one, many], rights }: PostType): Record<string, string> => ({
  edit_post: `edit_${one}`,
  read_post: `read_${one}`,
  delete_post: `delete_${one}`,
  edit_posts: `edit_${many}`,
  edit_others_posts: `edit_others_${many}`,
  delete_posts: `delete_${many}`,
  publish_posts: `publish_${many}`,
  read_private_posts: `read_private_${many}`,
  read: 'read',
  delete_private_posts: `delete_private_${many}`,
  delete_published_posts: `delete_published_${many}`,
  delete_others_posts: `delete_others_${many}`,
  edit_private_posts: `edit_private_${many}`,
  edit_published_posts: `edit_published_${many}`,
  create_posts: `edit_${many}`,
  ...rights,
});

/** WP: fields are cut twice, in each item and in the map of all. */
const cut = (item: Json, { request }: CallContext): Json => filterFields(item, request.get('_fields'));

const canEditType = (user: User | null, type: PostType): boolean => has(user, typeCapabilities(type).edit_posts);

function presentType(type: PostType, context: string, site: Site): Record<string, Json> {
  const editing = context === 'edit';
  const { name, label, base } = type;
  const shown: Record<string, Json> =
    context === 'embed' ? {} : { description: '', hierarchical: type.hierarchical ?? false, has_archive: type.archive ?? false };
  return {
    ...(editing ? { capabilities: typeCapabilities(type) } : {}),
    ...shown,
    ...(editing ? { visibility: { show_in_nav_menus: type.inMenus, show_ui: type.inAdmin }, viewable: type.viewable } : {}),
    ...(editing ? { labels: typeLabels(label, type.singular, type.hierarchical ?? false) } : {}),
    name: label,
    slug: name,
    icon: type.icon ?? null,
    ...(editing ? { supports: Object.fromEntries(type.supports.map((feature) => [feature, true])) } : {}),
    ...(context === 'embed' ? {} : { taxonomies: [...(type.taxonomies ?? [])] }),
    rest_base: base,
    rest_namespace: 'wp/v2',
    ...(context === 'embed' ? {} : { template: [], template_lock: false }),
    _links: links(site, 'types', base),
  };
}

const EDIT_TYPES = 'Sorry, you are not allowed to edit posts in this post type.';

const mayListTypes: Permission = (context) => {
  const { user } = context.request;
  if (contextOf(context) !== 'edit' || postTypes().some((type) => canEditType(user, type))) return true;
  return refusal(user, 'rest_cannot_view', EDIT_TYPES);
};

function readType(context: CallContext): RestResponse {
  const { request, site } = context;
  const name = toStr(request.get('type'));
  const type = findPostType(name);
  if (!type && isHiddenType(name)) throw refusal(request.user, 'rest_cannot_read_type', 'Cannot view post type.');
  if (!type) throw new RestError('rest_type_invalid', 'Invalid post type.', 404);
  if (contextOf(context) === 'edit' && !canEditType(request.user, type)) throw refusal(request.user, 'rest_forbidden_context', EDIT_TYPES);
  return new RestResponse(presentType(type, contextOf(context), site));
}

/** The core routes of the post types. */
export const typeAnswers: Answers<'list' | 'read'> = {
  list: {
    permission: mayListTypes,
    handler: (context) => {
      const shown = postTypes().filter((type) => contextOf(context) !== 'edit' || canEditType(context.request.user, type));
      const items = shown.map((type) => [type.name, cut(presentType(type, contextOf(context), context.site), context)]);
      return new RestResponse(Object.fromEntries(items) as Json);
    },
  },
  read: { permission: 'public', handler: readType },
};

/** WP: whoever may assign terms may look at a taxonomy. */
function canAssign(user: User | null, { name, capabilities: [, , , assign] }: Taxonomy): boolean {
  if (assign.startsWith('assign_')) return has(user, 'edit_posts');
  return has(user, assign) || canManageTerms(user, name);
}

function presentTaxonomy(taxonomy: Taxonomy, context: string, site: Site): Json {
  const { name, label, singular, hierarchical, base, isPublic, adminColumn } = taxonomy;
  const editing = context === 'edit';
  const [manage_terms, edit_terms, delete_terms, assign_terms] = taxonomy.capabilities;
  const seen = { public: isPublic, publicly_queryable: isPublic, show_admin_column: adminColumn };
  return {
    name: label,
    slug: name,
    ...(editing ? { capabilities: { manage_terms, edit_terms, delete_terms, assign_terms } } : {}),
    ...(context === 'embed' ? {} : { description: '' }),
    ...(editing ? { labels: taxonomyLabels(label, singular, hierarchical) } : {}),
    ...(context === 'embed' ? {} : { types: typesWith(name).map((type) => type.name) }),
    ...(editing ? { show_cloud: isPublic } : {}),
    ...(context === 'embed' ? {} : { hierarchical }),
    rest_base: base,
    rest_namespace: 'wp/v2',
    ...(editing ? { visibility: { ...seen, show_in_nav_menus: isPublic, show_in_quick_edit: isPublic, show_ui: true } } : {}),
    _links: links(site, 'taxonomies', base),
  };
}

/** Taxonomies of the type that is asked for; of all, when none is. */
function wantedTaxonomies({ request }: CallContext): Taxonomy[] {
  const type = request.get('type');
  const of = type === undefined || type === '' ? null : (findPostType(toStr(type))?.taxonomies ?? []);
  return allTaxonomies().filter(({ name }) => of?.includes(name) ?? true);
}

const EDIT_TERMS = 'Sorry, you are not allowed to manage terms in this taxonomy.';

const mayListTaxonomies: Permission = (context) => {
  const { user } = context.request;
  if (contextOf(context) !== 'edit' || wantedTaxonomies(context).some((taxonomy) => canAssign(user, taxonomy))) return true;
  return refusal(user, 'rest_cannot_view', EDIT_TERMS);
};

/** WP: for editing, those are shown whose terms the caller may assign. */
const isShown = (taxonomy: Taxonomy, context: CallContext): boolean =>
  contextOf(context) !== 'edit' || canAssign(context.request.user, taxonomy);

const askedTaxonomy = ({ request }: CallContext): Taxonomy | undefined => findTaxonomy(toStr(request.get('taxonomy')));

const mayReadTaxonomy: Permission = (context) => {
  const taxonomy = askedTaxonomy(context);
  const { user } = context.request;
  if (!taxonomy && HIDDEN_TAXONOMIES.includes(toStr(context.request.get('taxonomy')))) return false;
  if (!taxonomy || contextOf(context) !== 'edit' || canAssign(user, taxonomy)) return true;
  return refusal(user, 'rest_forbidden_context', EDIT_TERMS);
};

/** The core routes of the taxonomies. */
export const taxonomyAnswers: Answers<'list' | 'read'> = {
  list: {
    permission: mayListTaxonomies,
    handler: (context) => {
      const shown = wantedTaxonomies(context).filter((taxonomy) => isShown(taxonomy, context));
      return new RestResponse(
        Object.fromEntries(shown.map((each) => [each.name, cut(presentTaxonomy(each, contextOf(context), context.site), context)])),
      );
    },
  },
  read: {
    permission: mayReadTaxonomy,
    handler: (context) => {
      const taxonomy = askedTaxonomy(context);
      if (!taxonomy) throw new RestError('rest_taxonomy_invalid', 'Invalid taxonomy.', 404);
      return new RestResponse(presentTaxonomy(taxonomy, contextOf(context), context.site));
    },
  },
};
