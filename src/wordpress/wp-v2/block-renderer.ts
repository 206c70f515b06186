import { intval } from '../../base/php/cast.js';
import type { EndpointCall } from '../rest/params.js';
import { RestResponse, type Args, type Json, type Permission, type Route, RestError, refusal } from '../rest/route.js';
import { isDynamic, renderBlocks } from '../formatting/blocks.js';
import { findPost } from '../posts/posts.js';
import { loadReferences, NO_LOADED_REFERENCES, referencesOf } from '../posts/references.js';
import { canEdit, canWithPosts } from '../users/capabilities.js';
import * as shared from './args.js';
import { declaredEndpoint, notBuilt, route } from './declare.js';

/** Static blocks of WordPress, which are stored with their HTML. */
const STATIC = new Set(
  [
    ...['audio', 'buttons', 'code', 'column', 'columns', 'details', 'embed', 'freeform', 'group', 'html', 'list-item', 'missing', 'more'],
    ...['nextpage', 'paragraph', 'preformatted', 'pullquote', 'quote', 'separator', 'social-links', 'spacer', 'table', 'text-columns'],
    'verse',
  ].map((name) => `core/${name}`),
);

const ARGS = {
  name: shared.text('Full name of the block.'),
  // WP: the only choice, but not the default. The default is validated if no context is sent.
  context: { ...shared.contextOf('edit'), sanitize: 'raw' },
  attributes: { description: 'Attributes of the block.', type: 'object', default: [] },
  post_id: shared.integer('ID of the post that contains the block.'),
} as const satisfies Args;

const mayRender: Permission = async ({ request, site }) => {
  const { user } = request;
  const id = intval(request.get('post_id') ?? 0);
  if (id <= 0)
    return canWithPosts(user, 'edit') || refusal(user, 'block_cannot_read', 'Sorry, you are not allowed to read blocks as this user.');
  const post = await findPost(site.store, id);
  const isAllowed = post !== null && canEdit(user, post, site.registry);
  return isAllowed || refusal(user, 'block_cannot_read', 'Sorry, you are not allowed to read blocks of this post.');
};

/** Attributes as a block comment has them. A query has texts only; attributes that look like numbers are numbers. */
function comment(name: string, attributes: Json): string {
  const known = attributes !== null && typeof attributes === 'object' && !Array.isArray(attributes) ? attributes : {};
  const json = JSON.stringify(known, (_, value: unknown) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value));
  // WP: characters that could end the comment are escaped.
  const escaped = json.replaceAll('--', '\\u002d\\u002d').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  return `<!-- wp:${name} ${escaped} /-->`;
}

async function render({ params, site }: EndpointCall<typeof ARGS>): Promise<RestResponse> {
  const { name = '' } = params;
  if (!isDynamic(name, referencesOf(NO_LOADED_REFERENCES, site))) {
    if (!name.startsWith('core/') || STATIC.has(name)) throw new RestError('block_invalid', 'Invalid block.', 404);
    return notBuilt();
  }
  const content = comment(name, params.attributes);
  const id = params.post_id ?? 0;
  const post = id > 0 ? await findPost(site.store, id) : null;
  const references = await loadReferences(site.store, [{ ...post, _id: id, content, excerpt: '' }]);
  return new RestResponse({ rendered: renderBlocks(content, { ...referencesOf(references, site), post: post ?? undefined }) });
}

/** The route that renders a single block (WP). Static blocks are invalid there. */
export const blockRendererRoute = (): Route =>
  route(
    '/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)',
    declaredEndpoint(['GET', 'POST'], ARGS, { permission: mayRender, handler: render }),
  );
