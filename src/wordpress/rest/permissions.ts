import { canAssignTerms, canManageTerms } from '../users/capabilities.js';
import type { User } from '../model.js';
import type { Registry } from '../types/registry.js';
import { RestError } from './error.js';

/** An error with its own message: 401 for anonymous callers, 403 for others (WP). */
export const refusal = (user: User | null, code: string, message: string): RestError => new RestError(code, message, user ? 403 : 401);

/** WP: hierarchical terms may be edited by users who manage them. */
export const canEditTerms = (user: User | null, taxonomy: string, registry: Registry): boolean => canManageTerms(user, taxonomy, registry);

/** WP: flat terms may be created by users who may assign them to a post; hierarchical terms by users who may edit them. */
export const canCreateTerms = (user: User | null, taxonomy: string, registry: Registry): boolean =>
  registry.isTree(taxonomy) ? canEditTerms(user, taxonomy, registry) : canAssignTerms(user, taxonomy, registry);
