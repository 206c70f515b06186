import { didYouMean } from '../../base/text/suggest.js';
import { settingProblem, type Settings } from '../../transfer/settings/settings.js';
import { SETTINGS } from '../../transfer/settings/table.js';
import { ConfigError, type ServerOptions } from '../config/index.js';
import { objectOf } from './scenarios.js';

/** The settings of the site of the options; null: as on a new site. @throws ConfigError for a missing file, and an invalid setting */
export function readSettings({ settings = {} }: Pick<ServerOptions, 'settings'>): Settings {
  const where = typeof settings === 'string' ? settings : 'settings';
  const all = objectOf(settings, 'settings');
  for (const [name, value] of Object.entries(all)) {
    if (!SETTINGS.has(name))
      throw new ConfigError(`${where}: unknown setting ${JSON.stringify(name)}${didYouMean(name, [...SETTINGS.keys()])}`);
    const problem = value === null || value === undefined ? null : settingProblem(name, value);
    if (problem !== null) throw new ConfigError(`${where}: ${problem}`);
  }
  return all;
}
