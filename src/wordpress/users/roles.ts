import { lookup } from '../../base/values/records.js';
import type { Registry } from '../types/registry.js';
import { ROLE_VERBS, WITH_PAGES } from './capabilities.js';

const words = (text: string): string[] => text.split(' ');

const levels = (highest: number): string[] => Array.from({ length: highest + 1 }, (_, level) => `level_${highest - level}`);

const EDITOR = words('moderate_comments manage_categories manage_links upload_files unfiltered_html read');

/** The capabilities of each role that are independent of post types (WP). */
const OTHERS: Record<string, readonly string[]> = lookup({
  administrator: [
    ...words('switch_themes edit_themes activate_plugins edit_plugins edit_users edit_files manage_options'),
    ...EDITOR,
    ...words('import delete_users create_users unfiltered_upload edit_dashboard update_plugins delete_plugins install_plugins'),
    ...words('update_themes install_themes update_core list_users remove_users promote_users edit_theme_options delete_themes export'),
    ...levels(10),
  ],
  editor: [...EDITOR, ...levels(7)],
  author: ['upload_files', 'read', ...levels(2)],
  contributor: ['read', ...levels(1)],
  subscriber: ['read', ...levels(0)],
});

/** All capabilities of a role, including the role itself (WP). */
export function capabilitiesOf(role: string, { families: own }: Registry): string[] {
  const verbs = ROLE_VERBS[role] ?? [];
  const families = WITH_PAGES.has(role) ? [...own, 'pages'] : own;
  const withPosts = families.flatMap((family) => verbs.map((verb) => `${verb}_${family}`));
  return [...(OTHERS[role] ?? []), ...withPosts, ...(role === '' ? [] : [role])];
}
