import { REVISION } from '../model.js';
import CORE from './core.json' with { type: 'json' };
import type { PostType, Taxonomy } from './post-type.js';

/**
 * WP: types that define a site's appearance require the right to edit themes, patterns the right to edit posts. Types name their set of rights;
 * what it leaves out follows the pattern of their `capability`.
 */
interface CoreData {
  rights: Readonly<Record<string, Readonly<Record<string, string>>>>;
  types: readonly (Omit<PostType, 'rights'> & { rights?: string })[];
  taxonomies: readonly (Omit<Taxonomy, 'folder'> & { folder?: string })[];
}

const { rights: RIGHTS, types, taxonomies } = CORE as unknown as CoreData;

/** Built-in post types in the core API, in order of registration. */
export const CORE_TYPES: readonly PostType[] = types.map(({ rights, ...type }) =>
  rights === undefined ? type : { ...type, rights: RIGHTS[rights] },
);

/** Built-in post types that are not in the core API. */
export const HIDDEN_TYPES: readonly string[] = [REVISION, 'custom_css', 'customize_changeset', 'oembed_cache', 'user_request'];

/** Built-in taxonomies that are not in the core API. */
export const HIDDEN_TAXONOMIES: readonly string[] = ['post_format', 'link_category', 'wp_theme', 'wp_template_part_area'];

/** Built-in taxonomies in the core API, in order of registration. */
export const CORE_TAXONOMIES: readonly Taxonomy[] = taxonomies.map(({ folder, ...taxonomy }) =>
  folder === undefined ? taxonomy : { ...taxonomy, folder: () => folder },
);
