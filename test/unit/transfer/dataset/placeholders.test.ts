import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { drawPlaceholder, placeholderIn } from '../../../../src/transfer/placeholder.js';
import { bySlug, problemsOf, read } from './read.js';

describe('what stands for a placeholder', () => {
  test.each([
    ['placeholder', { width: 1200, height: 675, text: 'Title' }],
    ['placeholder(300x200)', { width: 300, height: 200, text: 'Title' }],
    ['placeholder(300×200, "Jazz, live")', { width: 300, height: 200, text: 'Jazz, live' }],
    ['placeholder("Jazz")', { width: 1200, height: 675, text: 'Jazz' }],
    ['placeholder()', { width: 1200, height: 675, text: 'Title' }],
    ['placeholder-1', null],
    ['placeholder(1200)', null],
    ['my placeholder', null],
  ])('%s', (text, expected) => {
    expect(placeholderIn(text, 'Title')).toEqual(expected);
  });
});

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('the same text is the same bytes everywhere', () => {
  expect(sha(drawPlaceholder({ width: 640, height: 360, text: 'Jazz night' }))).toBe(
    '12c1bf3407345e52207dac8d570d92fa047ec52d6ff472b5fe8f9e8ff72c1b30',
  );
});

test.each([
  [{ width: 640, height: 360, text: 'Jazz night' }],
  [{ width: 1, height: 1, text: 'One' }],
  [{ width: 13, height: 4000, text: 'A long text of several words that has to be broken' }],
  [{ width: 333, height: 77, text: '日本語' }],
  [{ width: 1200, height: 675, text: '' }],
])('is a picture: %j', async (placeholder) => {
  const { width, height, format } = await sharp(drawPlaceholder(placeholder)).metadata();
  expect({ width, height, format }).toEqual({ width: placeholder.width, height: placeholder.height, format: 'png' });
});

test('has two colors, and the text can be read', async () => {
  const { data, info } = await sharp(drawPlaceholder({ width: 600, height: 300, text: 'I' }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number): number[] => [
    ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3),
  ];
  expect(pixel(0, 0)).not.toEqual([255, 255, 255]);
  // The stem of the letter is in the middle.
  const middle = Array.from({ length: 600 }, (_, x) => pixel(x, 150)).filter(([red]) => red === 255);
  expect(middle.length).toBeGreaterThan(5);
});

test('items have placeholders in the media library, each once', async () => {
  const content = await read({
    venues: [{ name: 'Hall', image: 'placeholder(200x100, "Same")' }],
    events: [
      { title: 'Jazz', start: '+1d 19:00', duration: '1h', image: 'placeholder(200x100, "Same")', repeat: 'weekly × 2' },
      { title: 'Rock', start: '+1d 19:00', duration: '1h', image: 'placeholder' },
    ],
    pages: [{ title: 'About', image: 'placeholder(90x90)' }],
  });
  const attachments = content.posts.filter(({ type }) => type === 'attachment');
  expect(
    Object.fromEntries(attachments.map(({ title, mimeType }, index) => [title, [mimeType, content.files[index].image?.width]])),
  ).toEqual({
    Same: ['image/png', 200],
    Rock: ['image/png', 1200],
    About: ['image/png', 90],
  });
  expect(content.files.every(({ data }) => data !== undefined)).toBe(true);
  const idOf = (slug: string): string | undefined => bySlug(content, slug).meta.find(({ key }) => key === '_thumbnail_id')?.value;
  const same = String(attachments.find(({ title }) => title === 'Same')?._id);
  expect([idOf('hall'), idOf('jazz'), idOf('jazz-2')]).toEqual([same, same, same]);
});

test('sizes that cannot be drawn are reported, and other names are slugs of media', async () => {
  const event = { title: 'Jazz', start: '+1d 19:00', duration: '1h' };
  expect(
    await problemsOf({
      events: [
        { ...event, image: 'placeholder(0x10)' },
        { ...event, image: 'placeholder(10x5000)' },
      ],
    }),
  ).toEqual([
    'events[0].image: a placeholder is from 1 to 4000 pixels wide and high, not 0x10',
    'events[1].image: a placeholder is from 1 to 4000 pixels wide and high, not 10x5000',
  ]);
  expect(await problemsOf({ events: [{ ...event, image: 'placeholdr' }] })).toEqual([
    expect.stringMatching(/^events\[0\]\.image: there is no image with the slug "placeholdr"/),
  ]);
});
