import { isEmpty } from '../../../base/php/cast.js';
import { switchToEditing, sentContext } from '../../rest/context.js';
import { RestError } from '../../rest/error.js';
import type { EndpointCall } from '../../rest/params.js';
import type { TaxonomyFacts } from '../../rest/posts/post-types.js';
import { RestResponse } from '../../rest/response.js';
import { withSentFields } from '../../rest/rest-fields/writes.js';
import type { CallContext, Route } from '../../rest/route.js';
import { createTerm, deleteTermOf, saveTerm, sentTerm } from '../../rest/term-save.js';
import { escHtml } from '../../formatting/sanitize.js';
import { MENU, type Term } from '../../model.js';
import { deletePost } from '../../posts/post-save.js';
import { equalityKey } from '../../posts/posts.js';
import { itemsOf } from '../../query/menus.js';
import { corePath } from '../../terms/term-links.js';
import type { Site } from '../../site.js';
import { MENU_FIELDS, type TERM_DELETION } from '../terms/term-args.js';
import { termOfPath, fieldsOf, termResponse, termActions, type TermActions } from '../terms/term-handlers.js';
import { routesOf } from '../terms/term-routes.js';
import { viewing } from './menu-access.js';

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
