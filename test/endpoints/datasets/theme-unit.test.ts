import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestServer } from '../../support/server.js';

/* An export with the kinds of content that WordPress's theme unit test data has, in words of our own. */

const block = (name: string, attributes: object = {}, html = ''): string => {
  const head = `wp:${name} ${JSON.stringify(attributes)}`;
  return html === '' ? `<!-- ${head} /-->` : `<!-- ${head} -->${html}<!-- /wp:${name} -->`;
};

const PICTURE = 'https://lake.example.org/wp-content/uploads/2027/01/pier.jpg';
const figure = (align: string): string =>
  block(
    'image',
    { id: 20, align },
    `<figure class="wp-block-image align${align}"><img src="${PICTURE}" alt="" class="wp-image-20"/></figure>`,
  );
const inner = block('paragraph', {}, '<p>Inside.</p>');

/** Posts by the block that is at the top. */
const POSTS: Readonly<Record<string, string>> = {
  'align-left': figure('left'),
  'align-center': figure('center'),
  'align-wide': figure('wide'),
  gallery: block('gallery', { linkTo: 'none' }, `<figure class="wp-block-gallery has-nested-images">${figure('none')}</figure>`),
  classic: '[gallery ids="20"]\n\nText with <em>HTML</em>.',
  embed: block(
    'embed',
    { url: 'https://example.org/v' },
    '<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://example.org/v\n</div></figure>',
  ),
  cover: block(
    'cover',
    { url: PICTURE, id: 20 },
    `<div class="wp-block-cover"><div class="wp-block-cover__inner-container">${inner}</div></div>`,
  ),
  'media-text': block(
    'media-text',
    { mediaId: 20 },
    `<div class="wp-block-media-text"><figure class="wp-block-media-text__media"><img src="${PICTURE}"/></figure><div class="wp-block-media-text__content">${inner}</div></div>`,
  ),
  columns: block(
    'columns',
    {},
    `<div class="wp-block-columns">${block('column', {}, `<div class="wp-block-column">${inner}</div>`)}</div>`,
  ),
  buttons: block(
    'buttons',
    {},
    `<div class="wp-block-buttons">${block('button', {}, '<div class="wp-block-button"><a class="wp-block-button__link" href="/x">Go</a></div>')}</div>`,
  ),
  quote: block('quote', {}, `<blockquote class="wp-block-quote">${inner}<cite>Who</cite></blockquote>`),
  pullquote: block('pullquote', {}, '<figure class="wp-block-pullquote"><blockquote><p>Pulled.</p></blockquote></figure>'),
  table: block('table', {}, '<figure class="wp-block-table"><table><tbody><tr><td>1</td></tr></tbody></table></figure>'),
  code: block('code', {}, '<pre class="wp-block-code"><code>x</code></pre>'),
  verse: block('verse', {}, '<pre class="wp-block-verse">Roses</pre>'),
  list: block('list', {}, `<ul>${block('list-item', {}, '<li>One</li>')}</ul>`),
  audio: block('audio', {}, '<figure class="wp-block-audio"><audio controls src="/a.mp3"></audio></figure>'),
  video: block('video', {}, '<figure class="wp-block-video"><video controls src="/a.mp4"></video></figure>'),
  file: block('file', { href: '/a.pdf' }, '<div class="wp-block-file"><a href="/a.pdf">Plan</a></div>'),
  separator: block('separator', {}, '<hr class="wp-block-separator"/>'),
  spacer: block('spacer', {}, '<div style="height:9px" class="wp-block-spacer"></div>'),
  ...Object.fromEntries(
    [
      'latest-posts',
      'latest-comments',
      'archives',
      'categories',
      'tag-cloud',
      'calendar',
      'page-list',
      'search',
      'rss',
      'loginout',
      'site-title',
    ].map((name) => [name, block(name)]),
  ),
  'social-links': block(
    'social-links',
    {},
    `<ul class="wp-block-social-links">${block('social-link', { url: 'https://example.org', service: 'x' })}</ul>`,
  ),
  query: block(
    'query',
    { query: { perPage: 2 } },
    `<div class="wp-block-query">${block('post-template', {}, block('post-title') + block('post-date'))}</div>`,
  ),
  unknown: block('acme/thing', {}, '<div>Kept.</div>'),
};

const cdata = (text: string): string => `<![CDATA[${text}]]>`;

const item = (id: number, type: string, name: string, content: string, more = ''): string => `<item>
<title>${cdata(name)}</title><dc:creator>${cdata('greta')}</dc:creator><content:encoded>${cdata(content)}</content:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_date>${cdata('2027-01-02 09:00:00')}</wp:post_date><wp:post_date_gmt>${cdata('2027-01-02 08:00:00')}</wp:post_date_gmt>
<wp:post_name>${cdata(name)}</wp:post_name><wp:status>${cdata(type === 'attachment' ? 'inherit' : 'publish')}</wp:status><wp:post_type>${cdata(type)}</wp:post_type>${more}
</item>`;

const WXR = `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Lake</title><link>https://lake.example.org</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://lake.example.org</wp:base_blog_url>
<wp:author><wp:author_id>2</wp:author_id><wp:author_login>${cdata('greta')}</wp:author_login><wp:author_email>${cdata('greta@lake.example.org')}</wp:author_email><wp:author_display_name>${cdata('Greta')}</wp:author_display_name></wp:author>
<wp:tag><wp:term_id>7</wp:term_id><wp:tag_slug>${cdata('family')}</wp:tag_slug><wp:tag_name>${cdata('Family')}</wp:tag_name></wp:tag>
${item(20, 'attachment', 'pier', '', `<wp:attachment_url>${cdata(PICTURE)}</wp:attachment_url><wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>2027/01/pier.jpg</wp:meta_value></wp:postmeta>`)}
${item(30, 'page', 'about', 'About us.')}
${Object.entries(POSTS)
  .map(([name, content], index) =>
    item(100 + index, 'post', name, content, `<category domain="post_tag" nicename="family">${cdata('Family')}</category>`),
  )
  .join('\n')}
</channel></rss>`;

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-theme-'));
const file = path.join(folder, 'site.wxr.xml');
writeFileSync(file, WXR);
afterAll(() => rmSync(folder, { recursive: true }));

const server = startTestServer({ dataset: file });
const rendered = new Map<string, string>();

beforeAll(async () => {
  const response = await fetch(`${server().url}/wp-json/wp/v2/posts?per_page=100&_fields=slug,content`);
  const posts = (await response.json()) as { slug: string; content: { rendered: string } }[];
  for (const { slug, content } of posts) rendered.set(slug, content.rendered);
});

test.each(Object.keys(POSTS))('a post with %s is imported, and shows it', (name) => {
  const html = rendered.get(name);
  expect(html).toBeDefined();
  expect(html?.replace(/<!--.*?-->/gs, '').trim()).toMatch(/^<[a-z]/);
  expect(html).not.toContain('<!-- wp:');
});
