import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is installed that tests may use; undefined: nowhere. */
export const CHROMIUM = PLACES.find((place) => existsSync(place));
