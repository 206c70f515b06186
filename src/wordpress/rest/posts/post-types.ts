import { PAGE, POST, metaValue, type Post } from '../../model.js';
import type { PostType as RegisteredType, Taxonomy } from '../../types/post-type.js';
import type { Registry } from '../../types/registry.js';
import { metaSchemas, metaText, sharedMetaSchemas } from './post-meta.js';
import type { Schema, ArgError, Json } from '../route.js';
import { lookup, withoutUndefined } from '../../../base/values/records.js';
import { isEmpty } from '../../../base/php/cast.js';

/** WP: features of a post type; each has specific fields. */
export type Support =
  | 'author'
  | 'comments'
  | 'custom-fields'
  | 'editor'
  | 'excerpt'
  | 'formats'
  | 'page-attributes'
  | 'sticky'
  | 'thumbnail';

/** A taxonomy as its routes and the fields of posts need it. */
export interface TaxonomyFacts extends Pick<Taxonomy, 'isOutsideRest'> {
  name: string;
  /** Last part of its collection's path, and the name of its field in posts. */
  base: string;
  /** The noun for its terms, for descriptions. */
  noun: string;
  /** WP: hierarchical terms are created by users who may edit terms, other terms by users who may assign them. */
  hierarchical: boolean;
}

/** Parts of a text field, each with the contexts that show it; a part that is left out is not declared. */
export interface TextParts {
  raw: string[];
  rendered?: string[];
  blockVersion?: string[];
  protected?: string[];
}

/** A post type as its routes and presenters need it. */
export interface RestType extends Pick<RegisteredType, 'listClauses' | 'ownOrder' | 'afterCoreUpdate' | 'supportsUnder' | 'rights'> {
  name: string;
  /** Where it is registered. */
  registry: Registry;
  /** Last part of its collection's path. */
  base: string;
  /** Whether it has pages: permalink template, classes, and a link to the page. */
  viewable: boolean;
  supports: readonly Support[];
  /** Its posts may have a parent. */
  hierarchical: boolean;
  revisions: boolean;
  autosaves: boolean;
  /** WP: a post without title, content and excerpt cannot be stored, if its type has all three. */
  needsText: boolean;
  taxonomies: readonly TaxonomyFacts[];
  /** Meta keys that were registered for it. */
  meta: Record<string, Schema>;
  /** Flags among them that are shown even if no other meta is. */
  embeddedFlags: readonly string[];
  /** Page templates that may be chosen. */
  templates: readonly string[];
  /** Registered meta that is shown separately. */
  outerMeta?: readonly string[];
  /** Contexts that show its texts, if not the default ones. */
  texts?: { title: TextParts; content: TextParts };
}

/** Exceptions to the names of terms in the API. */
const TAXONOMIES: Readonly<Record<string, Partial<TaxonomyFacts>>> = lookup({
  nav_menu: { noun: 'menus' },
});

/** A registered taxonomy as its routes and fields have it. */
export function taxonomyFor(name: string, registry: Registry): TaxonomyFacts {
  const { base, label, hierarchical, isOutsideRest } = registry.taxonomyOf(name);
  const facts = { name, base, noun: label.toLowerCase(), hierarchical, ...TAXONOMIES[name] };
  return isOutsideRest ? { ...facts, isOutsideRest } : facts;
}

const SUPPORTS = ['author', 'comments', 'custom-fields', 'editor', 'excerpt', 'formats', 'page-attributes', 'sticky', 'thumbnail'] as const;

/** Whether a pattern is synchronized (WP). */
const SYNC_STATUS = 'wp_pattern_sync_status';

/** WP: additional properties of its types in the API. */
const CORE: Readonly<Record<string, (meta: RestType['meta']) => Partial<RestType>>> = lookup({
  [POST]: () => ({ supports: SUPPORTS.filter((name) => name !== 'page-attributes') }),
  [PAGE]: () => ({ supports: SUPPORTS.filter((name) => name !== 'formats' && name !== 'sticky') }),
  nav_menu_item: (meta) => ({ meta }),
  wp_block: (meta) => ({
    meta: { ...meta, [SYNC_STATUS]: { ...metaText, enum: ['partial', 'unsynced'] }, ...FOOTNOTES },
    outerMeta: [SYNC_STATUS],
    texts: {
      title: { raw: ['view', 'edit'] },
      content: { raw: ['view', 'edit'], blockVersion: ['edit'], protected: ['view', 'edit', 'embed'] },
    },
  }),
  wp_navigation: (meta) => ({
    needsText: true,
    meta: { ...meta, ...FOOTNOTES },
    texts: {
      title: { raw: ['edit', 'embed'], rendered: ['view', 'edit', 'embed'] },
      content: {
        raw: ['edit', 'embed'],
        rendered: ['view', 'edit', 'embed'],
        blockVersion: ['edit', 'embed'],
        protected: ['view', 'edit', 'embed'],
      },
    },
  }),
});

/** WP: footnotes belong to every type that has an editor, custom fields and revisions. */
const FOOTNOTES = { footnotes: metaText };

/** A registered post type as its routes and presenters have it. */
export function postTypeFor(name: string, registry: Registry): RestType {
  const type = registry.postTypeOf(name);
  const { listClauses, ownOrder, afterCoreUpdate, supportsUnder, rights } = type;
  const has = (...features: string[]): boolean => features.every((feature) => type.supports.includes(feature));
  const shared = sharedMetaSchemas(name, registry);
  return {
    name,
    registry,
    base: type.base,
    viewable: type.viewable,
    hierarchical: type.hierarchical ?? false,
    supports: SUPPORTS.filter((feature) => has(feature)),
    revisions: has('revisions'),
    autosaves: has('autosave'),
    needsText: has('title', 'editor', 'excerpt'),
    taxonomies: (type.taxonomies ?? []).map((taxonomy) => taxonomyFor(taxonomy, registry)),
    meta: has('custom-fields') ? { ...shared, ...metaSchemas(type.meta ?? []), ...(has('editor', 'revisions') ? FOOTNOTES : {}) } : {},
    embeddedFlags: type.embeddedFlags ?? [],
    templates: type.viewable ? registry.pageTemplates : [],
    ...withoutUndefined({ listClauses, ownOrder, afterCoreUpdate, supportsUnder, rights }),
    ...CORE[name]?.(shared),
  };
}

/** Why a template is invalid, or null. @param names the existing templates @param current the template of the post */
export function refusedTemplate(value: Json, names: readonly string[], current: string): ArgError | null {
  if (isEmpty(value) || value === current || (typeof value === 'string' && names.includes(value))) return null;
  return { code: 'rest_invalid_param', message: `template is not one of ${names.join(', ')}.`, data: null };
}

/** The template of a post; empty for the default one (WP). */
export const shownTemplate = (post: Pick<Post, 'meta'>): string => metaValue(post, '_wp_page_template')?.replace(/^default$/, '') ?? '';
