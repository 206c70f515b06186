import { asJsonObject } from '../../../base/values/records.js';
import { checkValue, isRefused } from '../../rest/check.js';
import { listResponse, pagingOf } from '../../rest/lists.js';
import { RestResponse, METHODS, RestError, refusal } from '../../rest/route.js';
import type { CallContext, Json, Permission, Endpoint, Namespace, Route } from '../../rest/route.js';
import { can } from '../../users/capabilities.js';
import type { EndpointCall } from '../../rest/params.js';
import type { Site } from '../../site.js';
import {
  abilitiesOf,
  CATEGORIES,
  inputSchema,
  metaOf,
  namedAbility,
  outputSchema,
  type Ability,
  type AbilityCategory,
} from './abilities.js';
import * as args from './ability-args.js';
import { declaredEndpoint, described, get } from '../declare.js';

const ABILITIES_PATH = '/wp-abilities/v1/abilities';
const CATEGORIES_PATH = '/wp-abilities/v1/categories';

const mayReadAbilities: Permission = ({ request: { user } }) => can(user, 'read');

/** WP: has an effect also where it is not declared, and then may be anything. */
const contextOf = ({ request }: CallContext): Json => request.get('context') ?? 'view';

const linksOf = (site: Site, collection: string, name: string, more: Record<string, string>): Json => ({
  self: [{ href: site.restUrl(`${collection}/${name}`), targetHints: { allow: ['GET'] } }],
  collection: [{ href: site.restUrl(collection) }],
  ...Object.fromEntries(Object.entries(more).map(([relation, path]) => [relation, [{ href: site.restUrl(path) }]])),
});

function presentCategory({ slug, label, description }: AbilityCategory, call: CallContext): Json {
  return {
    ...args.categoryIn(contextOf(call), { slug, label, description, meta: [] }),
    _links: linksOf(call.site, CATEGORIES_PATH, slug, { abilities: `${ABILITIES_PATH}?category=${slug}` }),
  };
}

function presentAbility(ability: Ability, call: CallContext): Json {
  const { name, label, description, category } = ability;
  const input = inputSchema(ability, call.site);
  const schemas = { input_schema: input ? asJsonObject(input) : [], output_schema: outputSchema(ability, call.site) };
  return {
    ...args.abilityIn(contextOf(call), { name, label, description, category, ...schemas, meta: metaOf(call.site) }),
    _links: linksOf(call.site, ABILITIES_PATH, name, { 'wp:action-run': `${ABILITIES_PATH}/${name}/run` }),
  };
}

/** A page of a list. WP: one that is too far is empty, and the page before it is linked whether it exists or not. */
function listOf(all: Json[], { params, ...context }: EndpointCall<typeof args.CATEGORY_FILTERS>, path: string): RestResponse {
  const { offset, perPage, page } = pagingOf(params);
  const pages = Math.ceil(all.length / perPage);
  const response = listResponse(context, path, {
    items: all.slice(offset, offset + perPage),
    total: all.length,
    pages,
    page,
    isLoose: true,
  });
  // WP: its counts are texts, as an envelope shows.
  return response.header('X-WP-Total', String(all.length)).header('X-WP-TotalPages', String(pages));
}

const listCategories = (call: EndpointCall<typeof args.CATEGORY_FILTERS>): RestResponse =>
  listOf(
    CATEGORIES.map((category) => presentCategory(category, call)),
    call,
    CATEGORIES_PATH,
  );

function readCategory(call: EndpointCall<typeof args.CATEGORY_ARGS>): RestResponse {
  const category = CATEGORIES.find(({ slug }) => slug === call.params.slug);
  if (!category) throw new RestError('rest_ability_category_not_found', 'Ability category not found.', 404);
  return new RestResponse(presentCategory(category, call));
}

const isMap = (value: Json): value is Record<string, Json> => value !== null && typeof value === 'object';

/** WP: values are compared by type, too. */
const hasAll = (value: Json, wanted: Json): boolean =>
  isMap(value) && isMap(wanted)
    ? Object.entries(wanted).every(([name, each]) => Object.hasOwn(value, name) && hasAll(value[name], each))
    : value === wanted;

function listAbilities(call: EndpointCall<typeof args.ABILITY_FILTERS>): RestResponse {
  const { category = '', namespace = '', meta = {} } = call.params;
  // WP: callers cannot ask for abilities that are hidden from them.
  const hasMeta = hasAll(metaOf(call.site), { ...meta, show_in_rest: true });
  const found = abilitiesOf(call.site).filter(
    (ability) =>
      hasMeta && (category === '' || ability.category === category) && (namespace === '' || ability.name.startsWith(`${namespace}/`)),
  );
  return listOf(
    found.map((ability) => presentAbility(ability, call)),
    call,
    ABILITIES_PATH,
  );
}

const notFound = (): RestError => new RestError('rest_ability_not_found', 'Ability not found.', 404);

function readAbility(call: CallContext): RestResponse {
  const ability = namedAbility(call);
  if (!ability) throw notFound();
  return new RestResponse(presentAbility(ability, call));
}

/** The names of the fields that a call asks for; the error if its input is invalid. WP: only the query string contains input. */
function wantedFields(ability: Ability, { site, request }: CallContext): string[] | RestError {
  const sent: Json | undefined = request.sources.query.input;
  const schema = inputSchema(ability, site);
  if (!schema) {
    if (sent === undefined) return [];
    const rule = `Ability "${ability.name}" does not define an input schema required to validate the provided input.`;
    return new RestError('ability_missing_input_schema', rule, 400);
  }
  const checked = checkValue(sent ?? {}, schema, 'input');
  if (isRefused(checked)) {
    return new RestError('ability_invalid_input', `Ability "${ability.name}" has invalid input. Reason: ${checked.message}`, 400);
  }
  const { fields = [] } = checked.value as { fields?: string[] };
  return fields.length > 0 ? fields : Object.keys(ability.result);
}

/** Whether fields come as a text, which older releases check as a list, but do not read as one. */
function isTextUnread({ site, request }: CallContext): boolean {
  const { input } = request.sources.query as { input?: { fields?: Json } };
  return site.quirks.has('ability-input-as-sent') && typeof input?.fields === 'string' && input.fields !== '';
}

/** WP: the method and the input are checked before the right of the caller. */
const mayRun: Permission = (context) => {
  const { request } = context;
  const ability = namedAbility(context);
  if (!ability) return notFound();
  if (request.method !== 'GET' || request.isHead) {
    return new RestError('rest_ability_invalid_method', 'Read-only abilities require GET method.', 405);
  }
  const wanted = wantedFields(ability, context);
  if (wanted instanceof RestError) return wanted;
  return (
    ability.isAllowed(request.user) ||
    refusal(request.user, 'rest_ability_cannot_execute', 'Sorry, you are not allowed to execute this ability.')
  );
};

function runAbility(context: CallContext): RestResponse {
  const ability = namedAbility(context);
  const { user } = context.request;
  if (!ability || !user) throw notFound();
  const wanted = wantedFields(ability, context);
  if (wanted instanceof RestError) throw wanted;
  if (isTextUnread(context)) return new RestResponse([]);
  const result = ability.run(context.site, user);
  return new RestResponse(wanted.length > 0 ? Object.fromEntries(wanted.map((name) => [name, result[name]])) : result);
}

const NAME = 'wp-abilities/v1';

const route = (path: string, endpoint: Endpoint, schema: NonNullable<Route['schema']>): Route =>
  described({ path: `/${NAME}${path}`, endpoints: [endpoint] }, schema);

/**
 * Actions that programs can request from a site. WP: runs come first, since the path of an ability would match theirs;
 * they are registered for all methods, as what an ability needs is not known yet.
 */
export const abilities = (): Namespace => ({
  name: NAME,
  absentUnder: 'no-abilities',
  routes: [
    route('/categories', get(args.CATEGORY_FILTERS, { permission: mayReadAbilities, handler: listCategories }), args.CATEGORY_SCHEMA),
    route(
      `/categories/${args.SLUG_PATH}`,
      get(args.CATEGORY_ARGS, { permission: mayReadAbilities, handler: readCategory }),
      args.CATEGORY_SCHEMA,
    ),
    route(
      `/abilities/${args.NAME_BEFORE}/run`,
      declaredEndpoint(METHODS, args.RUN_ARGS, { permission: mayRun, handler: runAbility }),
      args.RESULT_SCHEMA,
    ),
    route('/abilities', get(args.ABILITY_FILTERS, { permission: mayReadAbilities, handler: listAbilities }), args.ABILITY_SCHEMA),
    route(
      `/abilities/${args.NAME_PATH}`,
      get(args.ABILITY_ARGS, { permission: mayReadAbilities, handler: readAbility }),
      args.ABILITY_SCHEMA,
    ),
  ],
});
