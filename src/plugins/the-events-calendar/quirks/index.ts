import { PLUGIN_QUIRKS } from './rows.js';
import { VERSION_QUIRKS } from './version-rows.js';

declare module '../../../wordpress/quirks.js' {
  interface QuirkNames extends Record<keyof typeof PLUGIN_QUIRKS | keyof typeof VERSION_QUIRKS, true> {}
}

export const CALENDAR_QUIRKS = { ...PLUGIN_QUIRKS, ...VERSION_QUIRKS };
