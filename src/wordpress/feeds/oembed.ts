import { decodedUrl } from '../../base/text/hosts.js';
import { createHash } from 'node:crypto';
import { absint, intval, toStr } from '../../base/php/cast.js';
import { rawurlencode } from '../../base/php/query-string.js';
import { endpoint, type EndpointCall } from '../rest/params.js';
import { RestResponse, RestError, refusal } from '../rest/route.js';
import type { CallContext, Json, Namespace, Permission, Route } from '../rest/route.js';
import { readPageAddress } from '../views/address.js';
import { find, urlOfPublished } from '../views/find.js';
import { authorUrl } from '../links.js';
import type { PagePlugin } from '../views/reading.js';
import { escAttr, escUrlRaw } from '../formatting/entities.js';
import { xmlText } from '../formatting/xml.js';
import type { Post } from '../model.js';
import { closestVersion } from '../media/pictures.js';
import { findPost } from '../posts/posts.js';
import { loadRelated, thumbnail } from '../posts/related.js';
import { markedTitle } from '../posts/rendered.js';
import type { Site } from '../site.js';
import { canWithPosts } from '../users/capabilities.js';

/** Widths of embeds in pixels (WP). */
const WIDTH = { least: 200, most: 600 };

/** The public post at a URL of this site; null if there is none. */
async function postAt(url: string, site: Site, plugins: readonly PagePlugin[]): Promise<Post | null> {
  const origin = (address: string): string => address.replace(/^https?:/i, '').replace(/^\/\/www\./i, '//');
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  const home = origin(site.url);
  if (!origin(`${path}/`).startsWith(`${home}/`)) return null;
  const number = /(?:^|&)(?:p|page_id|attachment_id)=(\d+)/.exec(query);
  if (number) return findPost(site.store, intval(number[1]));
  const address = readPageAddress(decodedUrl(origin(path).slice(home.length)) || '/', site, plugins);
  const { show_on_front: shows, page_on_front: front } = site.options.front;
  if (address.kind === 'front' && shows === 'page') return findPost(site.store, front);
  const found = await find(address, { site, reader: null, plugins });
  return found?.kind === 'post' ? found.post : null;
}

/** URLs of the descriptions of a page for sites that embed it. */
export function oembedUrls(url: string, site: Site): { json: string; xml: string } {
  const json = site.restUrl(`/oembed/1.0/embed?url=${rawurlencode(url)}`);
  return { json, xml: `${json}&format=xml` };
}

/** HTML that embeds a post: a link, which a script replaces by a frame. */
function embedHtml(url: string, title: string, width: number, height: number, { options: { name, rewrite } }: Site): string {
  // WP: ten random letters and digits that identify the frame in a page. Here they are derived from the URL.
  const secret = createHash('sha256').update(url).digest('base64').replace(/[+/]/g, '').slice(0, 10);
  const frame = `${rewrite.isPlain ? `${url}&embed=true` : rewrite.below(url, 'embed')}#?secret=${secret}`;
  const label = escAttr(`“${title}” — ${name}`);
  return [
    `<blockquote class="wp-embedded-content" data-secret="${secret}"><a href="${escAttr(url)}">${title}</a></blockquote>`,
    `<iframe sandbox="allow-scripts" security="restricted" src="${escAttr(frame)}" width="${width}" height="${height}" title="${label}"`,
    ` data-secret="${secret}" frameborder="0" marginwidth="0" marginheight="0" scrolling="no" class="wp-embedded-content"></iframe>`,
  ].join('');
}

const notFound = (): RestError => new RestError('oembed_invalid_url', 'Not Found', 404);

/** Describes a post as oEmbed does. @throws RestError for a URL without a public post */
async function describe(address: string, wanted: number, site: Site, plugins: readonly PagePlugin[]): Promise<Record<string, Json>> {
  const post = await postAt(address, site, plugins);
  if (post?.status !== 'publish' || !site.registry.findPostType(post.type)?.viewable) throw notFound();
  const width = Math.min(Math.max(WIDTH.least, wanted), WIDTH.most);
  const height = Math.max(Math.ceil((width / 16) * 9), 200);
  const author = await site.store.users.findOne({ _id: post.author });
  const picture = thumbnail(post, await loadRelated(site.store, [post]));
  const shown = picture && closestVersion(picture, width, site.uploadsUrl);
  const title = markedTitle(post);
  return {
    version: '1.0',
    provider_name: site.options.name,
    provider_url: site.url,
    author_name: author?.displayName ?? site.options.name,
    author_url: author ? authorUrl(site, author) : site.url,
    title,
    type: 'rich',
    width,
    height,
    html: embedHtml(await urlOfPublished(post, site), title, width, height, site),
    ...(shown ? { thumbnail_url: shown.url, thumbnail_width: shown.width, thumbnail_height: shown.height } : {}),
  };
}

/** WP: entries of lists are elements with the name of the root. */
const elements = (data: object): string =>
  Object.entries(data)
    .map(([key, value]: [string, Json]): string => {
      const name = /^\d+$/.test(key) ? 'oembed' : key;
      return `<${name}>${value !== null && typeof value === 'object' ? elements(value) : xmlText(toStr(value))}</${name}>`;
    })
    .join('');

/** WP: errors are written in XML, too. */
const asXml: NonNullable<Route['serve']> = ({ body }, request) =>
  request.get('format') === 'xml' && body !== null && typeof body === 'object'
    ? { type: 'text/xml; charset=UTF-8', body: `<?xml version="1.0"?>\n<oembed>${elements(body)}</oembed>\n` }
    : null;

const ADDRESS = { description: 'URL of the page to embed.', type: 'string', format: 'uri', required: true } as const;

const EMBED_ARGS = {
  url: { ...ADDRESS, sanitize: (value: Json) => escUrlRaw(toStr(value)) },
  // WP: every format but XML is JSON.
  format: { description: '', default: 'json', sanitize: (value: Json) => (value === 'xml' ? 'xml' : 'json') },
  maxwidth: { description: '', default: WIDTH.most, sanitize: (value: Json) => absint(value) },
} as const;

async function embed({ params, site }: EndpointCall<typeof EMBED_ARGS>, plugins: readonly PagePlugin[]): Promise<RestResponse> {
  return new RestResponse(await describe(params.url, params.maxwidth, site, plugins));
}

const PROXY_ARGS = {
  url: ADDRESS,
  format: { description: 'Format of the response of the provider.', type: 'string', default: 'json', enum: ['json', 'xml'] },
  maxwidth: { description: 'Maximum width of the embed, in pixels.', type: 'integer', default: WIDTH.most },
  maxheight: { description: 'Maximum height of the embed, in pixels.', type: 'integer' },
  discover: { description: 'Whether to discover oEmbed links in the page.', type: 'boolean', default: true },
} as const;

const mayProxy: Permission = ({ request: { user } }: CallContext) =>
  canWithPosts(user, 'edit') || refusal(user, 'rest_forbidden', 'Sorry, you are not allowed to make proxied oEmbed requests.');

/** WP: also describes pages of other sites, to which this server sends no requests. */
const proxy = async ({ params, site }: EndpointCall<typeof PROXY_ARGS>, plugins: readonly PagePlugin[]): Promise<RestResponse> =>
  new RestResponse(await describe(params.url, params.maxwidth, site, plugins));

/** The namespace that describes pages for sites that embed them (https://oembed.com). @param plugins what has addresses on the site */
export const oembed = (plugins: readonly PagePlugin[]): Namespace => ({
  name: 'oembed/1.0',
  routes: [
    {
      path: '/oembed/1.0/embed',
      serve: asXml,
      endpoints: [endpoint({ methods: ['GET'], permission: 'public', args: EMBED_ARGS, handler: (call) => embed(call, plugins) })],
    },
    {
      path: '/oembed/1.0/proxy',
      endpoints: [endpoint({ methods: ['GET'], permission: mayProxy, args: PROXY_ARGS, handler: (call) => proxy(call, plugins) })],
    },
  ],
});
