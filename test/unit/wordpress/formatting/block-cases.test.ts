import { renderContent } from '../../../../src/wordpress/formatting/content.js';
import { NO_REFERENCES, type Questions, type References } from '../../../../src/wordpress/formatting/references.js';
import type { Post, Term } from '../../../../src/wordpress/model.js';
import { NO_REFERENCES_OF_OLDEST } from '../../../support/rules.js';

const OF = { oldest: NO_REFERENCES_OF_OLDEST, newest: NO_REFERENCES, classic: { ...NO_REFERENCES, theme: 'classic' as const } };
type Site = keyof typeof OF;

const shown = (text: string, at: Site, more: Partial<References> = {}): string =>
  renderContent(text, { references: { ...OF[at], ...more } });
const block = (name: string, attributes: object, html?: string): string => {
  const head = `wp:${name} ${JSON.stringify(attributes)}`;
  return html === undefined ? `<!-- ${head} /-->` : `<!-- ${head} -->${html}<!-- /wp:${name} -->`;
};

describe('parts of a search form', () => {
  const border = { border: { radius: '8px', width: '2px', top: { color: 'var:preset|color|accent-1' } } };
  test.each<[site: Site, attributes: object, html: readonly string[]]>([
    ['newest', { width: 50, widthUnit: '%', buttonPosition: 'button-inside', style: border }, ['style="width: 50%;border-width: 2px;']],
    [
      'newest',
      { buttonPosition: 'button-inside', style: border },
      ['border-top-color: var(--wp--preset--color--accent-1)', 'calc(8px + 4px)'],
    ],
    ['newest', { style: { border: { radius: 3 } } }, ['<input class="wp-block-search__input"', 'style="border-radius: 3px"/>']],
    ['newest', { style: { border: { radius: { topLeft: '1px' } } } }, ['style="border-top-left-radius: 1px"']],
    ['newest', { textColor: 'base', buttonPosition: 'no-button' }, ['wp-block-search__input has-text-color has-base-color']],
    ['oldest', { textColor: 'base', buttonPosition: 'no-button' }, ['class="wp-block-search__input" id=']],
    ['newest', { fontSize: 'large', label: 'Find' }, ['<label class="wp-block-search__label has-large-font-size" for=']],
    ['newest', { label: '' }, ['screen-reader-text', '>Search</label>']],
    ['newest', { buttonPosition: 'button-only' }, ['searchfield-hidden', 'data-wp-on--keydown', '<button  aria-expanded="false"  class=']],
    [
      'oldest',
      { buttonPosition: 'button-only' },
      ['data-wp-on-async--keydown', 'placeholder=""  value=""', '"actions.openSearchInput"  >'],
    ],
    ['newest', { query: { post_type: 'a"b' } }, ['<input type="hidden" name="post_type" value="a&quot;b" />']],
    ['newest', { placeholder: "It's" }, ['placeholder="It&apos;s"']],
    ['oldest', { placeholder: "It's" }, ['placeholder="It&#039;s"']],
    ['newest', { tagName: 'search' }, ['<search class=', '<form method="get"', '</form></search>']],
  ])('%s: %j', (at, attributes, html) => {
    const text = shown(block('search', attributes), at);
    for (const part of html) expect(text).toContain(part);
  });
});

describe('static blocks', () => {
  const button = '<div class="wp-block-button"><a class="wp-block-button__link" href="/x">Go</a></div>';
  const picture = '<figure class="wp-block-image"><img src="/a.jpg" alt=""/><figcaption class="wp-element-caption"></figcaption></figure>';
  const details =
    '<details class="wp-block-details"><summary>A <b class="x">b</b></summary><!-- wp:spacer /--><img src="/a.jpg"/></details>';
  test.each<[name: string, site: Site, text: string, html: string]>([
    [
      'a width in percent',
      'newest',
      block('button', { style: { dimensions: { width: '50%' } } }, button),
      'style="--wp--block-button--width: 50;" class="wp-block-button has-custom-width wp-block-button__width wp-block-button__width-50"',
    ],
    [
      'a width',
      'newest',
      block('button', { style: { dimensions: { width: '9em' } } }, button),
      '<div style="width: 9em;" class="wp-block-button has-custom-width">',
    ],
    ['no width', 'oldest', block('button', { style: { dimensions: { width: '50%' } } }, button), button],
    ['an empty caption', 'newest', block('image', {}, picture), 'alt=""/></figure>'],
    ['an empty caption', 'oldest', block('image', {}, picture), '<figcaption class="wp-element-caption"></figcaption>'],
    ['the element that is open', 'newest', block('details', {}, details), '<details class="wp-block-details is-layout-flow'],
    ['the last element', 'oldest', block('details', {}, details), '<b class="x is-layout-flow'],
    ['hidden pictures', 'newest', block('details', {}, details), 'fetchpriority="low"'],
    [
      'texts that fit',
      'newest',
      block('heading', { fitText: true }, '<h2 class="has-fit-text">A</h2>'),
      'data-wp-init---core-fit-text="core/fit-text::callbacks.init"',
    ],
    [
      'a proportion',
      'newest',
      block('cover', { style: { dimensions: { aspectRatio: '1' } } }, '<div class="wp-block-cover"></div>'),
      'style="aspect-ratio:1;height:unset;min-height:unset;"',
    ],
    [
      'a proportion',
      'oldest',
      block('cover', { style: { dimensions: { aspectRatio: '1' } } }, '<div class="wp-block-cover"></div>'),
      'style="aspect-ratio:1;min-height:unset;"',
    ],
    [
      'a place of its own size',
      'newest',
      block('paragraph', { style: { layout: { selfStretch: 'fixedNoShrink', flexSize: '9px' } } }, '<p>a</p>'),
      'wp-container-content-',
    ],
    [
      'styles of elements',
      'newest',
      block('paragraph', { style: { elements: { link: { typography: {} } } } }, '<p>a</p>'),
      'wp-elements-1',
    ],
    ['styles of elements', 'oldest', block('paragraph', { style: { elements: { link: { typography: {} } } } }, '<p>a</p>'), '<p>a</p>'],
  ])('%s (%s)', (_, at, text, html) => {
    expect(shown(text, at)).toContain(html);
  });
});

const post = (id: number, more: Partial<Post> = {}): Post =>
  ({
    _id: id,
    type: 'post',
    title: 'A & b',
    content: '',
    password: '',
    date: '2026-06-15 08:00:00',
    modified: '2026-06-15 08:00:00',
    author: 1,
    terms: {},
    meta: [],
    parent: 0,
    menuOrder: 0,
    ...more,
  }) as unknown as Post;
const term = (id: number, more: Partial<Term> = {}): Term =>
  ({
    _id: id,
    name: `T${id}`,
    nameKey: `t${id}`,
    slug: `t${id}`,
    taxonomy: 'category',
    parent: 0,
    count: id,
    description: '<b>D</b>',
    ...more,
  }) as unknown as Term;

function site(
  answers: { readonly [Kind in keyof Questions]?: (question: Questions[Kind]['ask']) => Questions[Kind]['get'] },
  more = {},
): Partial<References> {
  const facts = {
    url: 'http://x',
    coreUrl: 'http://x',
    options: { dateFormat: 'F j, Y', weekStart: 1, front: {}, name: 'S', description: 'D', showsAvatars: true },
    today: () => '2026-06-15',
    iso: (local: string) => `${local.replace(' ', 'T')}-04:00`,
    termUrl: ({ slug }: Term) => `http://x/${slug}`,
    datesUrl: (date: string) => `http://x/${date}`,
    avatarUrl: () => 'http://x/a.png',
    authorUrl: () => 'http://x/ada',
    taxonomy: () => ({ label: 'Categories', singular: 'Category', isHierarchical: true }),
    excerpt: (_: Post, words = 30) => Array.from({ length: words }, (_each, index) => `w${index}`).join(' ') + ' [&hellip;]',
    content: ({ content }: Post, references: References) => renderContent(content, { references }),
    classesOf: () => ['post'],
    meta: () => undefined,
    ...more,
  };
  const ask = (kind: keyof Questions, question: never): unknown => answers[kind]?.(question) ?? NO_REFERENCES.ask(kind, question);
  return { site: facts as never, ask: ask as References['ask'], linkTo: ({ _id }) => `http://x/?p=${_id}`, post: post(5) };
}

describe('lists', () => {
  const terms = [term(3), term(4, { parent: 3 })];
  const all = site({
    dates: () => ['2026-06-15 08:00:00', '2026-01-01 08:00:00'],
    terms: () => ({ terms, known: new Map(terms.map((each) => [each._id, each])) }),
    posts: () => ({ posts: [post(7), post(8)], total: 9 }),
  });
  test.each<[name: string, attributes: object, html: string]>([
    ['archives', { type: 'weekly' }, "<li><a href='http://x/?m=2026&#038;w=25'>June 15, 2026&#8211;June 21, 2026</a></li>"],
    ['archives', { type: 'weekly', showPostCounts: true }, "w=1'>December 29, 2025&#8211;January 4, 2026</a>&nbsp;(1)</li>"],
    [
      'archives',
      { type: 'daily', displayAsDropdown: true, showLabel: false },
      "\t<option value='http://x/2026-06-15'> June 15, 2026 </option>\n",
    ],
    ['archives', { type: 'never' }, "'http://x/2026-06'>June 2026"],
    [
      'categories',
      { displayAsDropdown: true, showHierarchy: true, showPostCounts: true },
      '<option class="level-1" value="t4">&nbsp;&nbsp;&nbsp;T4&nbsp;&nbsp;(4)</option>',
    ],
    [
      'categories',
      { displayAsDropdown: true },
      "<select  name='category_name' id='wp-block-categories-1' class='postform'>\n\t<option value='-1'>Select Category</option>",
    ],
    ['tag-cloud', { smallestFontSize: '0.5em', largestFontSize: '1em' }, 'style="font-size: 0.5em;"'],
    [
      'tag-cloud',
      { smallestFontSize: '1em', largestFontSize: '1em', showTagCounts: true },
      'style="font-size: 1em;" aria-label="T4 (4 items)">T4<span class="tag-link-count"> (4)</span>',
    ],
    [
      'latest-posts',
      { layout: { type: 'grid', columnCount: 3, minimumColumnWidth: '9rem' } },
      'class="wp-block-latest-posts__list is-grid columns-3 has-native-responsive-grid wp-block-latest-posts is-layout-grid',
    ],
    [
      'latest-posts',
      { postLayout: 'grid', displayPostDate: true },
      'class="wp-block-latest-posts__list is-grid has-dates wp-block-latest-posts ',
    ],
    [
      'latest-posts',
      { displayPostContent: true, excerptLength: 2 },
      'w0 w1… <a class="wp-block-latest-posts__read-more" href="http://x/?p=7" rel="noopener">Read more<span class="screen-reader-text">: A &#038; b</span></a>',
    ],
    ['query-total', {}, '<div class="wp-block-query-total">9 results found</div>'],
    ['query-total', { displayType: 'range-display' }, '>Displaying 1 – 9 of 9</div>'],
    [
      'post-excerpt',
      { moreText: 'Go', showMoreOnNewLine: false, excerptLength: 200 },
      'w100 <a class="wp-block-post-excerpt__more-link" href="http://x/?p=5">Go</a></p>',
    ],
    [
      'post-title',
      { isLink: true, rel: 'x', textAlign: 'center' },
      '<h2 class="has-text-align-center wp-block-post-title"><a href="http://x/?p=5" target="_self" rel="x">A &amp; b</a></h2>'.replace(
        '&amp;',
        '&#038;',
      ),
    ],
    ['post-date', { datetime: '2020-02-03T10:00:00', format: 'Y-m-d' }, '<time datetime="2020-02-03T10:00:00">2020-02-03</time>'],
    ['read-more', { content: 'Go' }, 'target="_self">Go<span class="screen-reader-text">: A &#038; b</span></a>'],
    [
      'site-title',
      { level: 0, isLink: false, style: { border: { top: { color: '#ff0000', width: '2px' }, radius: 4 } } },
      '<p style="border-radius:4px;border-top-width:2px;border-top-color:#ff0000" class="wp-block-site-title">S</p>',
    ],
    ['rss', { feedURL: 'https://example.org/"' }, '<strong>RSS Error:</strong> A feed could not be found at `https://example.org/&quot;`.'],
  ])('%s %j', (name, attributes, html) => {
    expect(shown(block(name, attributes), 'newest', all)).toContain(html);
  });

  test('older releases write short texts with spaces, and blocks in posts as they are stored', () => {
    expect(shown(block('read-more', { content: 'Go' }), 'oldest', all)).toContain('>  Go<span');
    const listed = site({
      posts: () => ({ posts: [post(7, { content: '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->' })], total: 1 }),
    });
    const text = block('latest-posts', { displayPostContent: true, displayPostContentRadio: 'full_post' });
    expect(shown(text, 'oldest', listed)).toContain('<!-- wp:paragraph -->');
    expect(shown(text, 'newest', listed)).toContain('full-content"><p class="wp-block-paragraph">a</p></div>');
  });

  test('pages are nested below published ones only', () => {
    const pages = [post(1, { title: 'A' }), post(2, { title: 'B <b>c</b>', parent: 1 }), post(3, { title: 'C', parent: 99 })];
    const html = shown(block('page-list', {}), 'newest', site({ posts: () => ({ posts: pages, total: 3 }) }));
    expect(html.match(/<li class="[^"]*"/g)).toEqual([
      '<li class="wp-block-pages-list__item has-child"',
      '<li class="wp-block-pages-list__item "',
    ]);
    expect(html).toContain('>B <b>c</b></a>');
    expect(shown(block('page-list', { parentPageID: 3 }), 'newest', site({ posts: () => ({ posts: pages, total: 3 }) }))).toBe('');
  });

  test('a list of the page that is requested is empty in the API; colored links color each item', () => {
    const template = (attributes: object): string => block('post-template', attributes, '<!-- wp:post-title /-->');
    const query = (own: object, attributes: object = {}): string =>
      block('query', { queryId: 1, query: own }, `<div>${template(attributes)}${block('query-no-results', {}, '<p>None</p>')}</div>`);
    expect(shown(query({ inherit: true }), 'newest', all)).toContain('<div class="wp-block-query-no-results"><p>None</p></div>');
    const colored = shown(query({}, { style: { elements: { link: { color: { text: '#f00' } } } } }), 'newest', all);
    expect(colored.match(/wp-elements-\d+ ?wp-block-post-template|post-title wp-elements-\d+/g)).toEqual([
      'wp-elements-1 wp-block-post-template',
      'post-title wp-elements-1',
      'post-title wp-elements-1',
    ]);
  });
});

test('sticky posts come first in lists of all posts', () => {
  const asked: unknown[] = [];
  const references = site({
    posts: (question) => {
      asked.push(question);
      return question.sticky === true ? { posts: [post(9)], total: 1 } : { posts: [post(7), post(9)], total: 2 };
    },
  });
  const list = (query: object): string[] | null =>
    shown(block('query', { query }, `<div>${block('post-template', {}, '<!-- wp:read-more /-->')}</div>`), 'newest', references).match(
      /p=\d/g,
    );
  expect([list({}), list({ sticky: 'ignore' }), list({ search: 'a' })]).toEqual([
    ['p=9', 'p=7'],
    ['p=7', 'p=9'],
    ['p=7', 'p=9'],
  ]);
});

test('a picture of a post has its size since 7.1, before the element around it', () => {
  const picture = post(4, {
    type: 'attachment',
    file: 'a.jpg',
    mimeType: 'image/jpeg',
    image: { width: 4, height: 3, sizes: {} },
  } as Partial<Post>);
  const references = {
    ...site({}),
    post: post(5, { thumbnail: 4, meta: [{ key: '_thumbnail_id', value: '4' }] } as Partial<Post>),
    attachment: () => picture,
  };
  const text = block('post-featured-image', {
    aspectRatio: '4/3',
    width: '9px',
    dimRatio: 30,
    overlayColor: 'base',
    customGradient: 'linear-gradient(red,blue)',
  });
  expect(shown(text, 'newest', references)).toContain('style="aspect-ratio:4/3;width:100%;height:auto;width:9px;object-fit:cover;"');
  expect(shown(text, 'oldest', references)).toContain('<figure style="aspect-ratio:4/3;width:9px;" class="wp-block-post-featured-image">');
  expect(shown(text, 'newest', references)).toContain(
    '<span class="wp-block-post-featured-image__overlay has-background-dim has-background-dim-30 has-base-background-color has-background-gradient" style="background-image: linear-gradient(red,blue)" aria-hidden="true">',
  );
});

test('values that the use of a pattern has for named blocks', () => {
  const inner = block(
    'paragraph',
    { metadata: { name: 'Lead', bindings: { __default: { source: 'core/pattern-overrides' } } } },
    '<p>a</p>',
  );
  const references = { ...site({}), pattern: () => post(6, { type: 'wp_block', content: inner }) };
  expect(shown(block('block', { ref: 6, content: { Lead: { content: 'own <b>b</b>' } } }), 'newest', references)).toContain(
    '>own <b>b</b></p>',
  );
  expect(shown(block('block', { ref: 6, content: { Lead: {}, toString: 1 } }), 'newest', references)).toContain('>a</p>');
});

describe('blocks in blocks', () => {
  const self = post(5, { content: '<p>a</p><!-- wp:post-content /-->' });
  test('a post in itself is shown once, and lists of posts in lists of posts end', () => {
    expect(shown(self.content, 'newest', { ...site({}), post: self }).match(/<p>a<\/p>/g)).toHaveLength(2);
    const text = block('latest-posts', { displayPostContent: true, displayPostContentRadio: 'full_post' });
    const posts = Array.from({ length: 12 }, (_, index) => post(index + 10, { content: text }));
    const html = shown(text, 'newest', site({ posts: () => ({ posts, total: posts.length }) }));
    expect(html.match(/full-content/g)?.length).toBeLessThan(5000);
  });

  test.each([
    ['lists in lists', (item: string) => block('query', {}, `<div>${block('post-template', {}, item)}</div>`)],
    ['many lists', (item: string) => item.repeat(40)],
  ])('%s have some thousand items at most', (_, around) => {
    const posts = Array.from({ length: 100 }, (__, index) => post(index + 10, {}));
    const html = shown(
      around(around(block('latest-posts', { postsToShow: 100 }))),
      'newest',
      site({ posts: () => ({ posts, total: 100 }) }),
    );
    const items = html.match(/<li/g)?.length ?? 0;
    expect(items).toBeGreaterThan(100);
    expect(items).toBeLessThan(10_000);
  });

  test('the HTML of nested blocks grows as they do', () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'x' : block('group', { layout: { type: 'constrained' } }, `<div class="wp-block-group">${nested(depth - 1)}</div>`);
    const [ten, twenty, thirty] = [10, 20, 30].map((depth) => shown(nested(depth), 'newest').length);
    expect(thirty - twenty).toBe(twenty - ten);
  });
});
