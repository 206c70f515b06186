import { lookup } from '../../base/values/records.js';
import type { Registry } from '../types/registry.js';
import { ROLE_VERBS, WITH_PAGES } from './capabilities.js';
import RIGHTS from './capabilities.json' with { type: 'json' };

/** The capabilities of each role that are independent of post types (WP). */
const OTHERS: Record<string, readonly string[]> = lookup(RIGHTS.byRole);

/** All capabilities of a role, including the role itself (WP). */
export function capabilitiesOf(role: string, { families: own }: Registry): string[] {
  const verbs = ROLE_VERBS[role] ?? [];
  const families = WITH_PAGES.has(role) ? [...own, 'pages'] : own;
  const withPosts = families.flatMap((family) => verbs.map((verb) => `${verb}_${family}`));
  return [...(OTHERS[role] ?? []), ...withPosts, ...(role === '' ? [] : [role])];
}
