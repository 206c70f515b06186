import { isEmpty } from '../../../base/php/cast.js';
import { switchToEditing, sentContext, type EndpointCall } from '../../rest/params.js';
import type { TaxonomyFacts } from '../../rest/posts/post-types.js';
import { RestResponse, RestError, refusal, type CallContext, type Route, type Permission } from '../../rest/route.js';
import { withSentFields } from '../../rest/rest-fields/shown.js';
import { createTerm, deleteTermOf, saveTerm, sentTerm } from '../../rest/term-save.js';
import { escHtml } from '../../formatting/sanitize.js';
import { MENU, MENU_ITEM, PAGE, type Term, type Post } from '../../model.js';
import { deletePost, insertPost } from '../../posts/post-save.js';
import { equalityKey } from '../../posts/posts.js';
import { itemsOf, itemOf, metaOfItem } from '../../query/menus.js';
import { corePath } from '../../terms/terms.js';
import type { Site } from '../../site.js';
import { MENU_FIELDS, termOfPath, fieldsOf, termResponse, termActions, routesOf } from '../terms/term-handlers.js';
import type { TERM_DELETION, TermActions } from '../terms/term-handlers.js';
import { viewing } from './menu-access.js';
import { can } from '../../users/capabilities.js';
import * as shared from '../args.js';
import { get, route } from '../declare.js';

/*
 * Menus are terms. WP: their names are unique, their slugs follow from the names, and every write without a description empties it.
 */

/** @throws RestError for the name of another menu */
async function checkName(name: string, { site }: CallContext, status: number | null, own = 0): Promise<void> {
  const other = await site.store.terms.findOne({ taxonomy: MENU, nameKey: equalityKey(name), _id: { $ne: own } });
  if (!other) return;
  const message = `The menu name <strong>${escHtml(name)}</strong> conflicts with another menu name. Please try another.`;
  throw status === null
    ? new RestError('menu_exists', message, null)
    : new RestError('menu_exists', message, status, { term_id: other._id }, [other._id]);
}

async function withAutoAdd(term: Term, { request, site }: CallContext): Promise<Term> {
  const sent = request.get('auto_add');
  if (sent === undefined) return term;
  const autoAdd = !isEmpty(sent);
  await site.store.terms.updateOne({ _id: term._id }, { $set: { autoAdd } });
  return { ...term, autoAdd };
}

/** The menu after what else was sent. */
const withSent = async (term: Term, call: CallContext): Promise<Term> => withSentFields(await withAutoAdd(term, call), MENU, call);

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

async function create(call: CallContext): Promise<RestResponse> {
  const name = text(call.request.get('name')) ?? '';
  await checkName(name, call, 400);
  const term = await withSent(await createTerm(call, MENU, { ...sentTerm(call), slug: undefined }), call);
  switchToEditing(call);
  return (await termResponse(term, 'edit', call, 201)).header('Location', call.site.restUrl(corePath(term, call.site.registry)));
}

async function update(call: CallContext): Promise<RestResponse> {
  const term = await termOfPath(MENU, call);
  const name = text(call.request.get('name')) ?? term.name;
  await checkName(name, call, null, term._id);
  const changed = await saveTerm(call, term, { name, slug: '', description: text(call.request.get('description')) ?? '' });
  const stored = await withSent(changed, call);
  switchToEditing(call);
  return termResponse(stored, 'edit', call);
}

async function deleteItems(menu: number, site: Site): Promise<void> {
  for (const { _id } of await itemsOf(site.store, menu)) await deletePost(site, _id);
}

async function remove(call: EndpointCall<typeof TERM_DELETION>): Promise<RestResponse> {
  const term = await termOfPath(MENU, call);
  const { params, site } = call;
  if (!params.force) throw new RestError('rest_trash_not_supported', "Menus do not support trashing. Set 'force=true' to delete.", 501);
  const previous = fieldsOf(term, new Map(), sentContext(call), call);
  await deleteItems(term._id, site);
  await deleteTermOf(call, term);
  return new RestResponse({ deleted: true, previous });
}

function actionsOf(taxonomy: TaxonomyFacts): TermActions {
  const actions = termActions(taxonomy);
  return {
    list: { ...actions.list, permission: viewing('menus', actions.list.permission) },
    create: { ...actions.create, handler: create },
    read: { ...actions.read, permission: viewing('menus', actions.read.permission) },
    update: { ...actions.update, handler: update },
    delete: { ...actions.delete, handler: remove },
  };
}

export const menuRoutes = (taxonomy: TaxonomyFacts): Route[] => routesOf(taxonomy, actionsOf(taxonomy), MENU_FIELDS);

/** WP: a published page at the top level is appended to the menus with `auto_add`, unless they contain it. */
export async function addToMenus(site: Site, before: Post | null, after: Post): Promise<void> {
  if (after.type !== PAGE || after.parent !== 0 || after.status !== 'publish' || before?.status === 'publish') return;
  const menus = await site.store.terms.find({ taxonomy: MENU, autoAdd: true }, { projection: { _id: 1 } }).toArray();
  for (const { _id: menu } of menus) {
    const items = await itemsOf(site.store, menu);
    if (items.map(itemOf).some(({ type, objectId }) => type === 'post_type' && objectId === after._id)) continue;
    const link = { type: 'post_type', object: PAGE, objectId: after._id, parent: 0, target: '', classes: [''], xfn: [''], url: '' };
    await insertPost(site, MENU_ITEM, {
      title: '',
      content: ' ',
      excerpt: '',
      status: 'publish',
      author: after.author,
      password: '',
      date: null,
      // WP: the first item of a menu has no position.
      menuOrder: items.length === 0 ? 0 : Math.max(...items.map(({ menuOrder }) => menuOrder)) + 1,
      meta: metaOfItem(link, null),
      terms: { [MENU]: [menu] },
      commentStatus: 'closed',
      pingStatus: 'closed',
    });
  }
}

const mayViewLocations: Permission = ({ request: { user } }) =>
  can(user, 'edit_theme_options') || refusal(user, 'rest_cannot_view', 'Sorry, you are not allowed to view menu locations.');

const noLocation = (): never => {
  throw new RestError('rest_menu_location_invalid', 'Invalid menu location.', 404);
};

/** The menu locations of the theme. The block theme of this server has none, like the default one. */
export const menuLocationRoutes = (): Route[] => [
  route('/menu-locations', get({ context: shared.context }, { permission: mayViewLocations, handler: () => new RestResponse([]) })),
  route(
    '/menu-locations/(?P<location>[\\w-]+)',
    get(
      { location: shared.text('Name of the menu location.'), context: shared.context },
      { permission: mayViewLocations, handler: noLocation },
    ),
  ),
];
