import { METHODS, type Endpoint, type Namespace, type Route } from '../../rest/route.js';
import { declaredEndpoint, described, get } from '../declare.js';
import {
  ABILITY_ARGS,
  ABILITY_FILTERS,
  CATEGORY_ARGS,
  CATEGORY_FILTERS,
  NAME_BEFORE,
  NAME_PATH,
  RUN_ARGS,
  SLUG_PATH,
} from './ability-args.js';
import { listAbilities, listCategories, mayReadAbilities, mayRun, readAbility, readCategory, runAbility } from './ability-handlers.js';
import { ABILITY_SCHEMA, CATEGORY_SCHEMA, RESULT_SCHEMA } from './ability-schemas.js';

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
    route('/categories', get(CATEGORY_FILTERS, { permission: mayReadAbilities, handler: listCategories }), CATEGORY_SCHEMA),
    route(`/categories/${SLUG_PATH}`, get(CATEGORY_ARGS, { permission: mayReadAbilities, handler: readCategory }), CATEGORY_SCHEMA),
    route(`/abilities/${NAME_BEFORE}/run`, declaredEndpoint(METHODS, RUN_ARGS, { permission: mayRun, handler: runAbility }), RESULT_SCHEMA),
    route('/abilities', get(ABILITY_FILTERS, { permission: mayReadAbilities, handler: listAbilities }), ABILITY_SCHEMA),
    route(`/abilities/${NAME_PATH}`, get(ABILITY_ARGS, { permission: mayReadAbilities, handler: readAbility }), ABILITY_SCHEMA),
  ],
});
