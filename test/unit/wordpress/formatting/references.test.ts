import { renderContent, excerptOf } from '../../../../src/wordpress/formatting/content.js';
import { Counters } from '../../../../src/wordpress/formatting/block-parts/counters.js';
import type { PostQuery } from '../../../../src/wordpress/query/post-query.js';
import { askNothing, namedAttachments, NO_REFERENCES, type References } from '../../../../src/wordpress/formatting/references.js';
import { ATTACHMENT, POST, type Post } from '../../../../src/wordpress/model.js';
import { storedPost } from '../../../support/posts.js';

const UPLOADS = 'http://site.example/wp-content/uploads';

const post = (_id: number, more: Partial<Post>): Post =>
  storedPost(_id, { type: ATTACHMENT, status: 'inherit', title: '', slug: `a-${_id}`, ...more });

const size = (file: string, width: number, height: number, mime = 'image/png') => ({ file, width, height, 'mime-type': mime });

const LOGO = post(5, {
  mimeType: 'image/png',
  file: '2026/05/logo.png',
  meta: [{ key: '_wp_attachment_image_alt', value: 'The "logo"' }],
  image: {
    width: 800,
    height: 600,
    file: '2026/05/logo.png',
    sizes: { medium: size('logo-300x225.png', 300, 225), thumbnail: size('logo-150x150.png', 150, 150) },
  },
});

const TALL = post(6, {
  mimeType: 'image/gif',
  file: 'tall.gif',
  excerpt: 'A "tall" one',
  image: { width: 90, height: 120, file: 'tall.gif', sizes: {} },
});

const PAPER = post(7, { mimeType: 'application/pdf', file: 'paper.pdf' });

const NEWS = [post(2, { type: POST, title: 'Second' }), post(1, { type: POST, title: '' })];

const newest = ({ sort, limit }: PostQuery): { posts: Post[]; total: number } => ({
  posts: (typeof sort === 'object' && 'descending' in sort && sort.descending ? NEWS : NEWS.toReversed()).slice(0, limit),
  total: NEWS.length,
});

const references: References = {
  ...NO_REFERENCES,
  uploadsUrl: UPLOADS,
  attachment: (id) => [LOGO, TALL, PAPER].find(({ _id }) => _id === id),
  attachedTo: (id) => (id === 0 ? [LOGO, TALL, PAPER] : []),
  ask: (kind, question) => (kind === 'posts' ? newest(question as PostQuery) : askNothing(kind, question)),
  linkTo: ({ slug }) => `http://site.example/${slug}/`,
};

const shown = (raw: string, postId = 0): string =>
  renderContent(raw, { references: { ...references, counters: new Counters() }, postId, siteUrl: 'http://site.example' });
const image = (tag: string): string => shown(`<b>x</b> ${tag}`).slice('<p><b>x</b> '.length, -'</p>'.length);

describe('pictures of the library', () => {
  const src = `src="${UPLOADS}/2026/05/logo.png"`;
  const set = `srcset="${UPLOADS}/2026/05/logo.png 800w, ${UPLOADS}/2026/05/logo-300x225.png 300w" sizes="auto, (max-width: 800px) 100vw, 800px"`;

  test.each([
    [
      'no size',
      `<img ${src} class="wp-image-5"/>`,
      `<img loading="lazy" decoding="async" width="800" height="600" ${src} class="wp-image-5" ${set} />`,
    ],
    [
      'a width as style',
      `<img ${src} class="wp-image-5" style="width:400px"/>`,
      `<img loading="lazy" decoding="async" width="400" height="300" ${src} class="wp-image-5" style="width:400px" ` +
        `srcset="${UPLOADS}/2026/05/logo.png 800w, ${UPLOADS}/2026/05/logo-300x225.png 300w" sizes="auto, (max-width: 400px) 100vw, 400px" />`,
    ],
    [
      'a smaller version',
      `<img src="${UPLOADS}/2026/05/logo-300x225.png" class="wp-image-5">`,
      `<img loading="lazy" decoding="async" width="300" height="225" src="${UPLOADS}/2026/05/logo-300x225.png" class="wp-image-5" ` +
        `srcset="${UPLOADS}/2026/05/logo-300x225.png 300w, ${UPLOADS}/2026/05/logo.png 800w" sizes="auto, (max-width: 300px) 100vw, 300px" />`,
    ],
    [
      'a version of another shape',
      `<img src="${UPLOADS}/2026/05/logo-150x150.png" class="wp-image-5">`,
      `<img loading="lazy" decoding="async" width="150" height="150" src="${UPLOADS}/2026/05/logo-150x150.png" class="wp-image-5">`,
    ],
    ['another file', '<img src="/x.png" class="wp-image-5">', '<img decoding="async" src="/x.png" class="wp-image-5">'],
    ['an unknown picture', `<img ${src} class="wp-image-99">`, `<img decoding="async" ${src} class="wp-image-99">`],
    ['no class', `<img ${src}>`, `<img decoding="async" ${src}>`],
    [
      'sources of its own',
      `<img ${src} class="wp-image-5" srcset="a 1w">`,
      `<img loading="lazy" decoding="async" width="800" height="600" ${src} class="wp-image-5" srcset="a 1w">`,
    ],
  ])('%s', (_, tag, expected) => {
    expect(image(tag)).toBe(expected);
  });
});

describe('galleries', () => {
  const thumbnail = `<img loading="lazy" decoding="async" width="150" height="150" src="${UPLOADS}/2026/05/logo-150x150.png" class="attachment-thumbnail size-thumbnail" alt="The &quot;logo&quot;" />`;
  const item = (icon: string, link: string, more = ''): string =>
    `<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon ${icon}'>\n\t\t\t\t${link}\n\t\t\t</div>${more}</figure>`;
  const framed = (classes: string, items: string): string => `<div id='gallery-1' class='gallery ${classes}'>${items}\n\t\t</div>`;
  const tall = item(
    'portrait',
    `<a href='http://site.example/a-6/'><img loading="lazy" decoding="async" width="90" height="120" src="${UPLOADS}/tall.gif" class="attachment-thumbnail size-thumbnail" alt="" aria-describedby="gallery-1-6" /></a>`,
    "\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='gallery-1-6'>\n\t\t\t\tA &#8220;tall&#8221; one\n\t\t\t\t</figcaption>",
  );

  test('without attributes: the pictures that belong to no post', () => {
    const logo = item('landscape', `<a href='http://site.example/a-5/'>${thumbnail}</a>`);
    expect(shown('[gallery]')).toBe(framed('galleryid-0 gallery-columns-3 gallery-size-thumbnail', logo + tall));
  });

  test('with attributes: named pictures in their order, linked to their files', () => {
    const file = item('landscape', `<a href='${UPLOADS}/2026/05/logo.png'>${thumbnail}</a>`);
    expect(shown('[gallery ids="5,99,7" columns="2" link="file"]', 3)).toBe(
      framed('galleryid-3 gallery-columns-2 gallery-size-thumbnail', file),
    );
    expect(shown('[gallery ids="5" link="none"]')).toContain(`\n\t\t\t\t${thumbnail}\n`);
  });

  test.each(['[gallery exclude="5,6"]', '[gallery id="3"]', '[gallery ids="99"]'])('%s shows nothing', (text) => {
    expect(shown(text)).toBe('');
  });
});

test('the block of the newest posts', () => {
  const item = (slug: string, title: string): string =>
    `<li><a class="wp-block-latest-posts__post-title" href="http://site.example/${slug}/">${title}</a></li>\n`;
  const layout = ' is-layout-flow wp-block-latest-posts-is-layout-flow';
  expect(shown('<!-- wp:latest-posts /-->')).toBe(
    `<ul class="wp-block-latest-posts__list wp-block-latest-posts${layout}">${item('a-2', 'Second')}${item('a-1', '(no title)')}</ul>`,
  );
  expect(shown('<!-- wp:latest-posts {"postsToShow":1,"order":"asc"} /-->')).toContain(
    `wp-block-latest-posts${layout}">${item('a-1', '(no title)')}</ul>`,
  );
});

test.each([
  ['<!-- wp:paragraph -->a<!-- /wp:paragraph --> b', 'a b'],
  ['<!-- wp:list --><ul><!-- wp:list-item --><li>a</li><!-- /wp:list-item --></ul><!-- /wp:list -->b', 'b'],
  ['<!-- wp:list --><ul><li>a</li></ul><!-- /wp:list -->b', 'a\nb'],
  ['<!-- wp:image --><figure><img src="/x.png"><figcaption>a</figcaption></figure><!-- /wp:image -->b', 'b'],
  ['<!-- wp:group --><div>a<!-- wp:group --><!-- wp:verse -->b<!-- /wp:verse --><!-- /wp:group --></div><!-- /wp:group -->', 'b'],
  ['<!-- wp:group --><div>a<!-- wp:cover -->b<!-- /wp:cover --></div><!-- /wp:group -->', ''],
  ['<!-- wp:quote --><!-- wp:paragraph -->a<!-- /wp:paragraph --><!-- /wp:quote -->', 'a'],
  ['<!-- wp:quote --><!-- wp:group -->a<!-- /wp:group --><!-- /wp:quote -->', ''],
  ['w '.repeat(31), `${'w '.repeat(30).trim()} [&hellip;]`],
])('an excerpt made from %j', (content, expected) => {
  expect(excerptOf(content, undefined, { references }).replace(/\s+/g, ' ').trim()).toBe(expected.replace(/\s+/g, ' '));
});

test('what a text refers to', () => {
  expect(namedAttachments('<img class="wp-image-5"> <img class="a wp-image-12 b"> [gallery ids="6, 7"][gallery include=8]')).toEqual([
    5, 12, 6, 7, 8,
  ]);
  expect(namedAttachments('ids="6" wp-image- 5')).toEqual([]);
});
