import { emojiImages } from '../../../../src/wordpress/formatting/emoji.js';

const imagesIn = (html: string): string[] =>
  [...emojiImages(html, '16.0.1').matchAll(/\/72x72\/([\w-]+)\.png" alt="([^"]+)"/g)].map(([, name, alt]) => `${name} ${alt}`);

test.each<[text: string, images: string[]]>([
  ['plain #1 * 2', []],
  ['🥳', ['1f973 🥳']],
  ['a 🎉🎈 b', ['1f389 🎉', '1f388 🎈']],
  ['🇩🇪', ['1f1e9-1f1ea 🇩🇪']],
  ['👍🏽', ['1f44d-1f3fd 👍🏽']],
  ['👩‍🚀', ['1f469-200d-1f680 👩‍🚀']],
  ['❤️', ['2764 ❤️']],
  ['☎', ['260e ☎']],
  ['日本語 العربية ß', []],
  ['<a title="🎉">🎉</a>', ['1f389 🎉']],
])('%j has the images %j', (text, images) => {
  expect(imagesIn(text)).toEqual(images);
});

test('the image is the one of WordPress', () => {
  expect(emojiImages('in 🥳 text', '16.0.1')).toBe(
    'in <img src="https://s.w.org/images/core/emoji/16.0.1/72x72/1f973.png" alt="🥳" class="wp-smiley" style="height: 1em; max-height: 1em;" /> text',
  );
});
