import type { RELEASE_QUIRKS } from '../../../../src/wordpress/quirks/index.js';
import type { Login } from '../../../support/api.js';
import type { Event } from '../../../../src/sdk/types/responses.js';
import { newEvent, proof, tried, type Ask, type Proof } from './proof.js';

const ABILITIES = '/wp-abilities/v1/abilities';

/** The body of an ability or of a result of one. */
const ability = async ({ get }: Ask, path: string): Promise<Record<string, unknown>> =>
  (await get<Record<string, unknown>>(`${ABILITIES}${path}`, 'admin')).body;

const newPost = async ({ post }: Ask, as: Login = 'admin'): Promise<number> =>
  (await post<{ id: number }>('/wp/v2/posts', { title: 'New', status: 'publish' }, as)).body.id;

interface NewComment {
  id: number;
  content: { rendered: string };
}

const newComment = async ({ post }: Ask, on: number, content: string, as: Login = 'admin'): Promise<NewComment> =>
  (await post<NewComment>('/wp/v2/comments', { post: on, content }, as)).body;

/** A picture of 6 by 4 pixels. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAIAAAAiZtkUAAAAEUlEQVR4nGPgsqlAQwzkCgEAmvoR0XXxJIsAAAAASUVORK5CYII=',
  'base64',
);

/** The arguments of edits of images. */
const editArgs = async ({ call }: Ask) => {
  const route = await call<{ endpoints: [{ args: { modifiers: { items: { oneOf: object[] } } } }] }>('OPTIONS', '/wp/v2/media/1/edit');
  return route.body.endpoints[0].args;
};

interface Saved {
  slug: string;
  content: { raw: string; rendered: string };
}

/** A blog post as it is saved. */
const saved = async ({ post }: Ask, body: object, as: 'admin' | 'author' = 'admin'): Promise<Saved> =>
  (await post<Saved>('/wp/v2/posts', { title: 'New', ...body }, as)).body;

/** A paragraph block with attributes, as it is shown. */
const paragraph = async (ask: Ask, attributes: string): Promise<string> =>
  (await saved(ask, { content: `<!-- wp:paragraph ${attributes} --><p>x</p><!-- /wp:paragraph -->` })).content.rendered;

/** HTML of an author, as it is stored. */
const ofAuthor = async (ask: Ask, content: string): Promise<string> => (await saved(ask, { content }, 'author')).content.raw;

const columns = '<!-- wp:columns --><div></div><!-- /wp:columns -->';

/** Releases of WordPress. */
export const WORDPRESS_PROOFS = {
  'term-words-list-all': proof({
    ask: async ({ get }) => (await get<object[]>('/wp/v2/tags?include=0')).body.length > 0,
    plugin: true,
    documented: false,
  }),
  'no-abilities': proof({
    ask: (ask) => tried(ask, 'GET', '/wp-abilities/v1'),
    plugin: '404 rest_no_route',
    documented: '200',
  }),
  'global-styles-by-name': proof({
    ask: (ask) => tried(ask, 'GET', '/wp/v2/global-styles/dark', 'admin'),
    plugin: '404 rest_global_styles_not_found',
    documented: '404 rest_no_route',
  }),
  'no-icons': proof({
    ask: (ask) => tried(ask, 'GET', '/wp/v2/icons/core/calendar', 'admin'),
    plugin: '404 rest_no_route',
    documented: '200',
  }),
  'no-icon-collections': proof({
    ask: (ask) => tried(ask, 'GET', '/wp/v2/icons/core', 'admin'),
    plugin: '404 rest_no_route',
    documented: '200',
  }),
  'no-view-config': proof({
    ask: (ask) => tried(ask, 'GET', '/wp/v2/view-config?kind=root&name=site', 'admin'),
    plugin: '404 rest_no_route',
    documented: '200',
  }),
  'no-user-info-ability': proof({
    ask: async (ask) => (await ability(ask, '/core/get-user-info/run?input[fields][]=user_login')).user_login === 'admin',
    plugin: false,
    documented: true,
  }),
  'no-public-abilities': proof({
    ask: async (ask) => JSON.stringify(await ability(ask, '/core/get-site-info?_fields=meta')).includes('"public"'),
    plugin: false,
    documented: true,
  }),
  'untitled-ability-results': proof({
    ask: async (ask) => JSON.stringify(await ability(ask, '/core/get-site-info?_fields=output_schema')).includes('"title"'),
    plugin: false,
    documented: true,
  }),
  'abilities-by-category-only': proof({
    ask: async (ask) => JSON.stringify(await ability(ask, '?namespace=cor')) === '[]',
    plugin: false,
    documented: true,
  }),
  'environment-takes-no-input': proof({
    ask: async (ask) => Object.keys(await ability(ask, '/core/get-environment-info/run?input[fields][]=wp_version')),
    plugin: ['code', 'message', 'data'],
    documented: ['wp_version'],
  }),
  'ability-input-as-sent': proof({
    ask: async (ask) => Object.keys(await ability(ask, '/core/get-site-info/run?input[fields]=charset,url')).includes('url'),
    plugin: false,
    documented: true,
  }),
  'no-notes': proof({
    ask: async (ask) => tried(ask, 'POST', '/wp/v2/comments', 'admin', { type: 'note', post: await newPost(ask), content: 'Shorten this' }),
    plugin: '400 rest_invalid_comment_type',
    documented: '201',
    writes: true,
  }),
  'no-note-mentions': proof({
    ask: async (ask) => {
      const sent = '<span class="wp-note-mention user-1">@Ada</span>';
      return (await newComment(ask, await newPost(ask), sent, 'author')).content.rendered;
    },
    plugin: '<p>@Ada</p>\n',
    documented: '<p><span class="wp-note-mention user-1">@Ada</span></p>\n',
    writes: true,
  }),
  'zero-is-no-comment': proof({
    ask: async (ask) => {
      const { id } = await newComment(ask, await newPost(ask), 'One');
      return tried(ask, 'PUT', `/wp/v2/comments/${id}`, 'admin', { content: '0' });
    },
    plugin: '400 rest_comment_content_invalid',
    documented: '200',
    writes: true,
  }),
  'comments-move-anywhere': proof({
    ask: async (ask) => {
      const { id } = await newComment(ask, await newPost(ask, 'author'), 'Moving', 'author');
      return tried(ask, 'PUT', `/wp/v2/comments/${id}`, 'author', { post: await newPost(ask) });
    },
    plugin: '200',
    documented: '403 rest_cannot_edit',
    writes: true,
  }),
  'authors-make-sticky': proof({
    ask: (ask) => tried(ask, 'POST', '/wp/v2/posts', 'author', { title: 'On top', status: 'publish', sticky: true }),
    plugin: '201',
    documented: '403 rest_cannot_assign_sticky',
    writes: true,
  }),
  'app-ids-are-uuids': proof({
    ask: (ask) => tried(ask, 'POST', '/wp/v2/users/me/application-passwords', 'editor', { name: 'New', app_id: '' }),
    plugin: '400 rest_invalid_param',
    documented: '201',
    writes: true,
  }),
  'batches-break-on-bad-paths': proof({
    ask: ({ call }) => {
      const body = { requests: [{ path: 'http://' }] };
      // The critical error is an HTML page.
      return call('POST', '/batch/v1', { as: 'admin', body }).then(
        ({ status }) => String(status),
        () => 'a page',
      );
    },
    plugin: 'a page',
    documented: '207',
  }),

  // Media.
  'media-filters-take-one-type': proof({
    ask: async ({ get }) => (await get('/wp/v2/media?media_type=image,text')).status,
    plugin: 400,
    documented: 200,
  }),
  'no-links-from-media-to-parents': proof({
    ask: async (ask) => {
      const { body } = await newEvent(ask, {});
      return Object.keys((await ask.upload(PICTURE, 'a.png', { post: String(body.id) }))._links).includes('wp:attached-to');
    },
    writes: true,
    plugin: false,
    documented: true,
  }),
  'edited-images-take-no-fields': proof({
    ask: async (ask) => Object.keys(await editArgs(ask)).includes('alt_text'),
    plugin: false,
    documented: true,
  }),
  'no-flips-of-images': proof({
    ask: async (ask) => (await editArgs(ask)).modifiers.items.oneOf.length,
    plugin: 2,
    documented: 3,
  }),
  'no-file-names-of-media': proof({
    ask: async (ask) => Object.hasOwn(await ask.upload(Buffer.from('Notes'), 'notes.txt'), 'filename'),
    writes: true,
    plugin: false,
    documented: true,
  }),
  'no-alternative-texts-in-images': proof({
    ask: async (ask) => Object.hasOwn((await ask.upload(PICTURE, 'a.png')).media_details.image_meta ?? {}, 'alt'),
    writes: true,
    plugin: false,
    documented: true,
  }),
  'links-to-hidden-images': proof({
    ask: async (ask) => {
      const draft = await newEvent(ask, { status: 'draft' });
      const { id } = await ask.upload(PICTURE, 'a.png', { post: String(draft.body.id) });
      const { body } = await newEvent(ask, {});
      await ask.post(`/wp/v2/tribe_events/${body.id}`, { featured_media: id });
      const shown = await ask.get<{ _links: object }>(`/wp/v2/tribe_events/${body.id}`);
      return Object.keys(shown.body._links).includes('wp:featuredmedia');
    },
    writes: true,
    plugin: true,
    documented: false,
  }),
  'whole-fields-of-revisions': proof({
    ask: async (ask) => {
      const { body } = await newEvent(ask, {});
      const route = `/wp/v2/tribe_events/${body.id}/autosaves?_fields=id,title.raw`;
      return Object.keys((await ask.post<Event>(route, { title: 'Not saved' })).body);
    },
    writes: true,
    plugin: ['id'],
    documented: ['id', 'title'],
  }),
  'no-encoding-of-images': proof({
    ask: async (ask) => Object.hasOwn(await ask.upload(PICTURE, 'a.png'), 'image_quality'),
    writes: true,
    plugin: false,
    documented: true,
  }),
  'uploads-are-files': proof({
    ask: (ask) => tried(ask, 'POST', '/wp/v2/media?url=nonsense', 'admin', {}),
    plugin: '400 rest_upload_no_content_disposition',
    documented: '400 rest_invalid_param',
  }),
  'no-sizes-made-by-clients': proof({
    ask: async ({ call }) => (await call('POST', '/wp/v2/media/1/finalize', { body: {}, headers: { host: 'localhost' } })).status,
    plugin: 404,
    documented: 401,
  }),

  'players-have-scripts': proof({
    ask: async (ask) => {
      const { content } = await saved(ask, { content: '[audio src="/a.mp3"][audio src="/b.mp3"][video src="/c.mp4"]' });
      return [...content.rendered.matchAll(/createElement\('(\w+)'\)/g)].map(([, kind]) => kind);
    },
    plugin: ['audio', 'video'],
    documented: [],
    writes: true,
  }),
  'paragraphs-have-no-class': proof({
    ask: (ask) => paragraph(ask, ''),
    plugin: '<p>x</p>',
    documented: '<p class="wp-block-paragraph">x</p>',
    writes: true,
  }),
  'gaps-of-the-theme-are-ignored': proof({
    ask: async (ask) => /core-columns-is-layout-(\w+)/.exec((await saved(ask, { content: columns })).content.rendered)?.[1],
    plugin: '28f84493',
    documented: '794e3cfa',
    writes: true,
  }),
  'hidden-blocks-are-shown': proof({
    ask: async (ask) => (await paragraph(ask, '{"metadata":{"blockVisibility":false}}')).includes('x'),
    plugin: true,
    documented: false,
    writes: true,
  }),
  'blocks-are-shown-at-all-widths': proof({
    ask: async (ask) =>
      (await paragraph(ask, '{"metadata":{"blockVisibility":{"viewport":{"mobile":false}}}}')).includes('wp-block-hidden-mobile'),
    plugin: false,
    documented: true,
    writes: true,
  }),
  'css-of-blocks-is-ignored': proof({
    ask: async (ask) => (await paragraph(ask, '{"style":{"css":"color:red"}}')).includes('has-custom-css wp-custom-css-'),
    plugin: false,
    documented: true,
    writes: true,
  }),
  'older-blocks': proof({
    ask: async (ask) => /wp-elements-\d\b/.test(await paragraph(ask, '{"style":{"elements":{"link":{"color":{"text":"#fff"}}}}}')),
    plugin: false,
    documented: true,
    writes: true,
  }),

  'newer-elements-are-removed': proof({
    ask: (ask) => ofAuthor(ask, '<time>now</time>'),
    plugin: 'now',
    documented: '<time>now</time>',
    writes: true,
  }),
  'attributes-stay-as-written': proof({
    ask: (ask) => ofAuthor(ask, "<b TITLE='x'>"),
    plugin: "<b TITLE='x'>",
    documented: '<b title="x">',
    writes: true,
  }),
  'display-is-removed': proof({
    ask: (ask) => ofAuthor(ask, '<b style="display:block">'),
    plugin: '<b>',
    documented: '<b style="display:block">',
    writes: true,
  }),
  'commands-are-removed': proof({
    ask: (ask) => ofAuthor(ask, '<button command="close">'),
    plugin: '<button>',
    documented: '<button command="close">',
    writes: true,
  }),
  'css-of-vector-images-is-removed': proof({
    ask: (ask) => ofAuthor(ask, '<b style="fill:red">'),
    plugin: '<b>',
    documented: '<b style="fill:red">',
    writes: true,
  }),
  'hyphens-stay-in-slugs': proof({
    ask: async (ask) => (await saved(ask, { title: 'Post\u2011war', status: 'publish' })).slug,
    plugin: 'post%e2%80%91war',
    documented: 'post-war',
    writes: true,
  }),

  'embed-links-come-last': proof({
    ask: async ({ page }) => {
      const { text } = await page('/event/many-words/');
      return Array.from(text.matchAll(/rel="shortlink"|json\+oembed/g), ([link]) => link);
    },
    plugin: ['rel="shortlink"', 'json+oembed'],
    documented: ['json+oembed', 'rel="shortlink"'],
  }),
  'unknown-sitemaps-are-the-front-page': proof({
    ask: async ({ page }) => (await page('/wp-sitemap-foo-1.xml')).status,
    plugin: 200,
    documented: 404,
  }),
  'icons-are-blue': proof({
    ask: async ({ page }) => /w-logo-\w+/.exec((await page('/favicon.ico')).headers.location ?? '')?.[0],
    plugin: 'w-logo-blue',
    documented: 'w-logo-gray',
  }),
} satisfies Record<keyof typeof RELEASE_QUIRKS, Proof>;
