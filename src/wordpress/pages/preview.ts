import { intval, isEmpty, toStr } from '../../base/php/cast.js';
import { NO_CACHE, type PageRequest, type PageResponse } from '../rest/page.js';
import { currentAutosave, previewAction } from '../query/autosaves.js';
import { isDraftLike, type Post } from '../model.js';
import type { Site } from '../site.js';
import { canEdit } from '../users/capabilities.js';
import { verifyNonce, type Session } from '../users/sessions.js';
import { html } from '../views/html.js';
import type { Reading } from '../views/reading.js';
import { framed } from './layout.js';

/** Whether a request is for a preview, which is not redirected to the pretty permalink (WP). */
export const isPreview = ({ query }: PageRequest): boolean => !isEmpty(query.preview);

/** Whether it requests unsaved changes with a valid nonce. */
const asksForAutosave = ({ query }: PageRequest): boolean => query.preview_id !== undefined && query.preview_nonce !== undefined;

/** The rejection of a link to a preview that was made for another session, for another post, or too long ago (WP: at every address). */
export async function rejectPreview(session: Session | null, reading: Reading): Promise<PageResponse | null> {
  const { site, request, texts } = reading;
  if (!asksForAutosave(request)) return null;
  const { preview_id: id, preview_nonce: nonce } = request.query;
  if (session && (await verifyNonce(site, session, previewAction(intval(id)), toStr(nonce)))) return null;
  const main = html`<header class="page-head"><h1>${texts.noPreview}</h1></header>
    <p>${texts.noPreviewText}</p>`;
  return framed(reading, 403, { title: texts.noPreview, main, isPublic: false }, NO_CACHE);
}

/** The post that a preview shows: its autosave, if the link requests it. WP: a draft has the current date. */
export async function previewed(post: Post, request: PageRequest, session: Session | null, site: Site): Promise<Post> {
  if (!canEdit(session?.user ?? null, post, site.registry)) return post;
  const dated = isDraftLike(post.status) ? { ...post, date: site.nowLocal, dateGmt: site.nowUtc } : post;
  const autosave = asksForAutosave(request) ? await currentAutosave(post, site) : undefined;
  if (!autosave) return dated;
  const { title, content, excerpt } = autosave;
  return { ...dated, title, content, excerpt, rendered: undefined };
}
