import type { Route } from '../../rest/route.js';
import type { Registry } from '../../types/registry.js';
import { described, get, route } from '../declare.js';
import { searchSchema } from '../registry/schemas.js';
import { SEARCH_TYPES, searchArgs, searchSubtypes } from './search-args.js';
import { searchAll } from './search-handlers.js';

/** Routes of the search across kinds of content. */
export const searchRoutes = (registry: Registry): Route[] => [
  described(
    route('/search', get(searchArgs(registry), { permission: 'public', handler: searchAll })),
    searchSchema(SEARCH_TYPES, searchSubtypes(registry)),
  ),
];
