import type { Registry } from '../../wordpress/types/registry.js';
import { DatasetError } from '../problems.js';
import type { DatasetSource } from '../source.js';

/** An open site cannot get further plugins. @throws DatasetError if content needs some that the site does not have */
export function requirePlugins({ name, plugins = [] }: Pick<DatasetSource, 'name' | 'plugins'>, registry: Registry): void {
  const missing = plugins.filter((each) => !registry.plugins.includes(each));
  if (missing.length === 0) return;
  const [flags, list] = [missing.map((each) => `--plugins ${each}`).join(' '), JSON.stringify(missing)];
  const needs = `needs the plugin ${missing.join(', ')}, which the site does not have`;
  throw new DatasetError(name, [`${needs}. Start the server with ${flags}, or make the sandbox with "plugins": ${list}`]);
}
