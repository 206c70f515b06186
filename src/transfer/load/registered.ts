import { mergeDeclarations, type Declarations } from '../../wordpress/types/declared.js';
import { restFieldsOf } from '../../wordpress/rest/rest-fields/shown.js';
import type { Registry } from '../../wordpress/types/registry.js';
import { type DatasetSource, DatasetError } from '../source.js';
import type { LoadMode } from './loader.js';

/** An open site cannot get further plugins. @throws DatasetError if content needs some that the site does not have */
export function requirePlugins({ name, plugins = [] }: Pick<DatasetSource, 'name' | 'plugins'>, registry: Registry): void {
  const missing = plugins.filter((each) => !registry.plugins.includes(each));
  if (missing.length === 0) return;
  const [flags, list] = [missing.map((each) => `--plugins ${each}`).join(' '), JSON.stringify(missing)];
  const needs = `needs the plugin ${missing.join(', ')}, which the site does not have`;
  throw new DatasetError(name, [`${needs}. Start the server with ${flags}, or give the sandbox or test helper "plugins": ${list}`]);
}

/** The declarations by what they are, as messages name them. */
const DECLARED: Readonly<Record<keyof Declarations, string>> = {
  types: 'post type',
  taxonomies: 'taxonomy',
  image_sizes: 'image size',
  meta: 'meta of',
  fields: 'fields of',
  acf_field_groups: 'field group',
  routes: 'route',
};

/** Lists declarations of a source that a site does not have. */
function undeclared({ declarations = {} }: Pick<DatasetSource, 'declarations'>, registry: Registry): string[] {
  const known: Readonly<Record<keyof Declarations, (name: string) => boolean>> = {
    types: (name) => registry.findPostType(name) !== undefined,
    taxonomies: (name) => registry.findTaxonomy(name) !== undefined,
    image_sizes: (name) => registry.imageSizes.some((size) => size.name === name),
    acf_field_groups: (key) => Object.hasOwn(registry.declarations.acf_field_groups ?? {}, key),
    // Stubs of content that is added are not stored.
    routes: () => true,
    meta: (name) =>
      Object.keys(declarations.meta?.[name] ?? {}).every((key) => registry.findPostType(name)?.meta?.some((row) => row.key === key)),
    fields: (type) =>
      Object.entries(declarations.fields?.[type] ?? {}).every(([namespace, fields]) =>
        Object.keys(fields).every((name) => restFieldsOf(registry, type, namespace).some((field) => field.name === name)),
      ),
  };
  return (Object.keys(declarations) as (keyof Declarations)[]).flatMap((section) =>
    Object.keys(declarations[section] ?? {}).flatMap((name) => (known[section](name) ? [] : [`${DECLARED[section]} ${name}`])),
  );
}

/**
 * The registry of a site once sources are loaded: content that replaces the site brings what it declares.
 * @throws DatasetError if content that is added needs what the site does not have
 */
export function registryAfter(sources: readonly DatasetSource[], mode: LoadMode, registry: Registry): Registry {
  // Content that replaces a site may bring plugins: the next start has them.
  if (mode === 'replace') return registry.with(mergeDeclarations(sources.map(({ declarations = {} }) => declarations)));
  for (const source of sources) {
    requirePlugins(source, registry);
    const missing = undeclared(source, registry);
    if (missing.length === 0) continue;
    const needs = `declares what the site does not have: ${missing.join(', ')}`;
    throw new DatasetError(source.name, [`${needs}. Content that is added cannot bring it. Replace the content of the site instead`]);
  }
  return registry;
}
