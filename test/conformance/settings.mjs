import { readFileSync } from 'node:fs';

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** The release of WordPress that was recorded under each setting. */
export const SETTINGS_RECORDED_WITH = '7.1.0';

/** The settings that were recorded, by name: what the site of the recorded content has otherwise. */
export const SETTINGS = read('settings.json');

/** The recorded content under a setting. */
export function withSettings(name) {
  const world = read('world.json');
  const { options, tec_options, ...others } = SETTINGS[name];
  const { site } = world;
  return {
    ...world,
    site: { ...site, ...others, options: { ...site.options, ...options }, tec_options: { ...site.tec_options, ...tec_options } },
  };
}
