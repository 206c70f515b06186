import { Registry } from '../wordpress/types/registry.js';
import { completeRegistrations } from '../wordpress/types/registrations.js';
import { didYouMean } from '../base/text/suggest.js';
import { PLUGINS } from './index.js';
import type { MovingContent, Plugin, PluginContent } from './plugin.js';

const pluginNames = (): string[] => PLUGINS.map(({ name }) => name);

const DEFAULT = PLUGINS.filter(({ isDefault }) => isDefault).map(({ name }) => name);

/** Problem with the name of a plugin. @returns null if it is known */
export const pluginProblem = (name: string): string | null =>
  pluginNames().includes(name)
    ? null
    : `There is no plugin ${name}${didYouMean(name, pluginNames()) || `. Plugins: ${pluginNames().join(', ')}`}`;

/** The plugins of some names and the ones they require, in the order in which WordPress would load them. @throws Error for an unknown name */
function pluginsNamed(named: readonly string[]): Plugin[] {
  const wanted = new Set<string>();
  const want = (name: string): void => {
    if (wanted.has(name)) return;
    const plugin = PLUGINS.find((each) => each.name === name);
    if (!plugin) throw new Error(pluginProblem(name) ?? name);
    wanted.add(name);
    plugin.requires.forEach(want);
  };
  named.forEach(want);
  return PLUGINS.filter(({ name }) => wanted.has(name));
}

/** The registries by the names of their plugins. */
const registries = new Map<string, Promise<Registry>>();

async function registryWith(plugins: readonly Plugin[]): Promise<Registry> {
  const registrations = await Promise.all(plugins.map((plugin) => plugin.loadRegistrations()));
  return new Registry(
    plugins.map(({ name }) => name),
    registrations.map(completeRegistrations),
  );
}

/**
 * The registry of sites with some plugins. Loads the plugins; sites with the same ones share it.
 * @param names of the plugins; default: the ones that every site has. The ones that they require are added
 * @throws Error for an unknown name
 */
export async function registryOf(names: readonly string[] = DEFAULT): Promise<Registry> {
  const plugins = pluginsNamed(names);
  const key = plugins.map(({ name }) => name).join(' ');
  const known = registries.get(key) ?? registryWith(plugins);
  registries.set(key, known);
  return known;
}

/** The names of the plugins that every site has, and others. */
export const withDefaultPlugins = (names: readonly string[]): string[] => [...DEFAULT, ...names];

/** The plugins out of some that not every site has. */
export const addedPlugins = (names: readonly string[]): string[] => names.filter((name) => !DEFAULT.includes(name));

/** The plugins, besides those with content, that a live site has by the namespaces in its index. */
export const pluginsFoundBy = (namespaces: readonly string[]): string[] =>
  PLUGINS.flatMap(({ name, foundBy }) => (foundBy !== undefined && namespaces.includes(foundBy) ? [name] : []));

/** The plugins that a site has by what it declares. */
export const pluginsDeclaring = (declarations: object): string[] =>
  PLUGINS.flatMap(({ name, declares }) => (declares !== undefined && Object.hasOwn(declarations, declares) ? [name] : []));

/** The registry of sites with the plugins that every site has, and others. @throws Error for an unknown name */
export async function registryWithDefaults(names: readonly string[]): Promise<Registry> {
  return registryOf(withDefaultPlugins(names));
}

/** The content of plugins, in their order. */
export const CONTENTS: readonly (PluginContent & { plugin: Plugin })[] = PLUGINS.flatMap((plugin) =>
  plugin.content ? [{ ...plugin.content, plugin }] : [],
);

/** How the content of a plugin moves. */
export type LoadedContent = (typeof CONTENTS)[number] & MovingContent;

let loaded: Promise<LoadedContent[]> | undefined;

/** Loads how content of plugins moves, once. */
export const loadContents = (): Promise<LoadedContent[]> =>
  (loaded ??= Promise.all(CONTENTS.map(async (content) => ({ ...content, ...(await content.load()) }))));
