import { WORDPRESS } from '../../src/wordpress/quirks.js';
import { NEWER_RELEASES, RECORDED_WITH, WORDPRESS_CASES } from './wordpress.mjs';
import { replayPacked } from './packed.js';

test('there are recordings of each release that is called recorded', () => {
  const [oldest] = WORDPRESS.releases.slice(-1);
  expect(WORDPRESS.releases).toEqual([...NEWER_RELEASES, oldest]);
  expect(WORDPRESS.findRelease(RECORDED_WITH)).toBe(oldest);
});

describe.each(NEWER_RELEASES.slice(1))('recorded responses of WordPress %s', (release) => {
  replayPacked(`${WORDPRESS_CASES}#${release}`, 1, release);
});
