import { PROFILE_QUIRKS } from './rows.js';
import { RELEASE_QUIRKS } from './release-rows.js';

declare module '../quirks.js' {
  interface QuirkNames extends Record<keyof typeof PROFILE_QUIRKS | keyof typeof RELEASE_QUIRKS, true> {}
}

export const WORDPRESS_QUIRKS = { ...PROFILE_QUIRKS, ...RELEASE_QUIRKS };
