import type { Context } from '../../rest/params.js';
import { presentMeta } from '../../rest/posts/post-meta.js';
import type { RestType } from '../../rest/posts/post-types.js';
import type { CallContext, Json } from '../../rest/route.js';
import { previewAction } from '../../query/autosaves.js';
import { filterContent, filterExcerpt } from '../../formatting/content.js';
import { REVISION, ZERO_DATE, type Post } from '../../model.js';
import { guidPath, permalink } from '../../posts/permalinks.js';
import { loadRelated } from '../../posts/related.js';
import { renderOptions, shownTitle } from '../../posts/rendered.js';
import { canRead } from '../../users/capabilities.js';
import { createNonce } from '../../users/sessions.js';

/** WP: without a date in UTC there is no date. */
const iso = (gmt: string, stored: string): string | null => (gmt === ZERO_DATE ? null : stored.replace(' ', 'T'));

/** The URL at which the caller sees unsaved changes (WP: only in their session, for a day). */
async function previewLink(shown: Post, parent: Post, type: RestType, { site, request }: CallContext): Promise<string> {
  const { user, session } = request;
  if (!type.viewable || !user) return '';
  const known = (await loadRelated(site.store, [parent])).posts;
  const link = permalink(parent, site, canRead(user, parent, site.registry), known);
  const query = new URLSearchParams();
  if (shown.type === REVISION) {
    const nonce = await createNonce(site, { user, token: session }, previewAction(parent._id));
    query.set('preview_id', String(parent._id));
    query.set('preview_nonce', nonce);
  }
  query.set('preview', 'true');
  return `${link}${link.includes('?') ? '&' : '?'}${query.toString()}`;
}

/**
 * A revision as the core API shows it.
 * @param shown the revision, or the saved draft
 * @param parent its post
 */
export async function presentRevision(shown: Post, parent: Post, type: RestType, context: Context, call: CallContext): Promise<Json> {
  const { site } = call;
  const isEditing = context === 'edit';
  const isFull = context !== 'embed';
  const guid = `${site.url}${guidPath(shown, site)}`;
  const options = renderOptions({ site, related: await loadRelated(site.store, [shown]) }, shown);
  const text = (raw: string, rendered: string): Json => ({ ...(isEditing ? { raw } : {}), rendered });
  const has = (feature: RestType['supports'][number]): boolean => type.supports.includes(feature);
  return {
    author: shown.author,
    date: iso(shown.dateGmt, shown.date),
    ...(isFull ? { date_gmt: iso(shown.dateGmt, shown.dateGmt) } : {}),
    id: shown._id,
    ...(isFull ? { modified: iso(shown.modifiedGmt, shown.modified), modified_gmt: iso(shown.modifiedGmt, shown.modifiedGmt) } : {}),
    parent: shown.parent,
    slug: shown.slug,
    ...(isFull ? { guid: { rendered: guid, ...(isEditing ? { raw: guid } : {}) } } : {}),
    title: text(shown.title, shownTitle(shown)),
    ...(isFull && has('editor') ? { content: text(shown.content, filterContent(shown.content, options)) } : {}),
    // WP: no excerpt is generated from the content.
    ...(has('excerpt') ? { excerpt: text(shown.excerpt, filterExcerpt(shown.excerpt, options)) } : {}),
    ...(isFull && has('custom-fields') ? { meta: presentMeta(shown, type.meta) } : {}),
    ...(isEditing ? { preview_link: await previewLink(shown, parent, type, call) } : {}),
    ...(shown.parent === 0 ? {} : { _links: { parent: [{ href: site.restUrl(`/wp/v2/${type.base}/${parent._id}`) }] } }),
  };
}
