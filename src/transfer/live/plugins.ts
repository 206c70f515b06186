import { CONTENTS, loadContents, type LoadedContent } from '../../plugins/register.js';
import type { LiveSite } from './client/find.js';

/** The groups of requests of `check`. */
export const GROUPS: readonly string[] = [
  ...['lists', 'filters', 'singles', 'terms', 'errors', 'options', 'doc', 'comments'],
  ...CONTENTS.map(({ name }) => name),
  ...['core', 'settings'],
];

/** Whether a live site has the plugin of some content. */
export const isOn = ({ namespaces }: Pick<LiveSite, 'namespaces'>, { namespace }: (typeof CONTENTS)[number]): boolean =>
  namespaces.includes(namespace);

export const contentsOn = async (live: Pick<LiveSite, 'namespaces'>): Promise<LoadedContent[]> =>
  (await loadContents()).filter((content) => isOn(live, content));
