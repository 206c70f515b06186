import { readFileSync } from 'node:fs';

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** The release of WordPress that was recorded under each setting. */
export const SETTINGS_RECORDED_WITH = '7.1.0';

/** The settings that were recorded, by name: what the site of the recorded content has otherwise. */
export const SETTINGS = read('settings.json');

/** The recorded content under a setting that was recorded. */
export const withSettings = (name) => withSite(SETTINGS[name]);

/** The recorded content with other rows of the options table. */
export const withOptions = (options) => withSite({ options });

function withSite({ options, tec_options, ...others }) {
  const world = read('world.json');
  const { site } = world;
  return {
    ...world,
    site: { ...site, ...others, options: { ...site.options, ...options }, tec_options: { ...site.tec_options, ...tec_options } },
  };
}
