import { WORDPRESS } from '../../src/wordpress/quirks.js';
import { NEWER_RELEASES, WORDPRESS_CASES } from './wordpress.mjs';
import { replayPacked } from './packed.js';

test('every release but the oldest has recordings of its own', () => {
  expect(NEWER_RELEASES).toEqual(WORDPRESS.releases.slice(0, -1));
});

// The newest one is the default. replay-wordpress-older.more.test.ts has the others.
describe(`recorded responses of WordPress ${NEWER_RELEASES[0]}`, () => {
  replayPacked(`${WORDPRESS_CASES}#${NEWER_RELEASES[0]}`, 1, NEWER_RELEASES[0]);
});
