import { CORE_TAXONOMIES, CORE_TYPES, HIDDEN_TYPES } from './core.js';
import type { QuirkName } from '../quirks.js';
import type { PostType, RegisteredMeta, Taxonomy } from './post-type.js';
import type { PostQuery } from '../query/post-query.js';
import { CORE_STATUSES, type PostStatus } from './status.js';

/**
 * The registry of post types and taxonomies. The built-in ones are always registered; `registerPlugins` adds the types of plugins.
 */

const types = new Map(CORE_TYPES.map((type) => [type.name, type]));
const taxonomies = new Map(CORE_TAXONOMIES.map((taxonomy) => [taxonomy.name, taxonomy]));
const hidden = new Set(HIDDEN_TYPES);
const families = ['posts'];
const meta: RegisteredMeta[] = [];
const templates: string[] = [];
const statuses = new Map(CORE_STATUSES.map((status) => [status.name, status]));

/** A plugin's registration. */
export interface Registration {
  types: readonly PostType[];
  taxonomies: readonly Taxonomy[];
  /** Names of post types that are not in the core API. */
  hiddenTypes: readonly string[];
  statuses: readonly PostStatus[];
  /** The plurals in the names of its capabilities, in the order in which roles list them. */
  families: readonly string[];
  /** Meta keys of all types with custom fields. */
  meta: readonly RegisteredMeta[];
  /** Page templates for all viewable types. */
  templates: readonly string[];
}

export function registerTypes(plugin: Registration): void {
  for (const type of plugin.types) types.set(type.name, type);
  for (const taxonomy of plugin.taxonomies) taxonomies.set(taxonomy.name, taxonomy);
  for (const status of plugin.statuses) statuses.set(status.name, status);
  for (const name of plugin.hiddenTypes) hidden.add(name);
  families.push(...plugin.families);
  meta.push(...plugin.meta);
  templates.push(...plugin.templates);
}

/** Meta keys of all types with custom fields. */
export const sharedMeta = (): readonly RegisteredMeta[] => meta;

/** Page templates for all viewable types. */
export const pageTemplates = (): readonly string[] => templates;

/** In order of registration. */
export const postTypes = (): PostType[] => [...types.values()];

export const findPostType = (name: string): PostType | undefined => types.get(name);

/** Whether a post type is registered under some quirks. */
const isRegistered = ({ absentUnder }: PostType, quirks: ReadonlySet<QuirkName>): boolean =>
  absentUnder === undefined || !quirks.has(absentUnder);

/** The post types under some quirks, in order of registration. */
export const registeredTypes = (quirks: ReadonlySet<QuirkName>): PostType[] => postTypes().filter((type) => isRegistered(type, quirks));

export const findRegisteredType = (name: string, quirks: ReadonlySet<QuirkName>): PostType | undefined => {
  const type = types.get(name);
  return type && isRegistered(type, quirks) ? type : undefined;
};

/** The features of a post type under some quirks. */
export const supportsOf = (
  { supports, supportsUnder = {} }: Pick<PostType, 'supports' | 'supportsUnder'>,
  quirks: ReadonlySet<QuirkName>,
): string[] => [...supports, ...Object.keys(supportsUnder).filter((feature) => quirks.has(supportsUnder[feature]))];

/** @throws Error if no plugin has registered it */
export function postTypeOf(name: string): PostType {
  const type = types.get(name);
  if (!type) throw new Error(`No post type ${name} is registered. Register the plugin that has it first.`);
  return type;
}

/** What a list of posts has where its type is the only one. @param names post types @param now site time */
export function listOfType(names: string | readonly string[], now: string): Partial<PostQuery> {
  const [name, ...others] = [names].flat();
  const type = others.length > 0 ? undefined : findPostType(name);
  return { ...type?.listClauses?.(now), ...(type?.ownOrder ? { sort: type.ownOrder } : {}) };
}

/** Whether a post type exists, but is not in the core API. */
export const isHiddenType = (name: string): boolean => hidden.has(name);

/** In the order of their registration. */
export const postStatuses = (): PostStatus[] => [...statuses.values()];

export const findStatus = (name: string): PostStatus | undefined => statuses.get(name);

/** In order of registration. */
export const allTaxonomies = (): Taxonomy[] => [...taxonomies.values()];

export const findTaxonomy = (name: string): Taxonomy | undefined => taxonomies.get(name);

/** @throws Error if no plugin has registered it */
export function taxonomyOf(name: string): Taxonomy {
  const taxonomy = taxonomies.get(name);
  if (!taxonomy) throw new Error(`No taxonomy ${name} is registered. Register the plugin that has it first.`);
  return taxonomy;
}

/** The post types of a taxonomy under some quirks. */
export const typesWith = (taxonomy: string, quirks: ReadonlySet<QuirkName>): PostType[] =>
  registeredTypes(quirks).filter((type) => type.taxonomies?.includes(taxonomy));

/** The names of the taxonomies whose terms have counts of published posts. */
export const countedTaxonomies = (): string[] =>
  allTaxonomies()
    .filter(({ isPublic }) => isPublic)
    .map(({ name }) => name);

/** Whether a taxonomy is hierarchical. */
export const isTree = (taxonomy: string): boolean => taxonomies.get(taxonomy)?.hierarchical ?? false;

/** The plurals in the names of capabilities, such as `posts` in `edit_posts`. Without `pages`, whose capabilities fewer roles have. */
export const capabilityFamilies = (): readonly string[] => families;
