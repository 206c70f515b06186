import { intval, isNumeric, toStr } from '../../../base/php/cast.js';
import { unslash } from '../../../wordpress/formatting/sanitize.js';
import { phpTrim } from '../../../wordpress/formatting/strip-tags.js';
import { TAG } from '../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { TermError, findOrCreateTerm } from '../../../wordpress/terms/term-save.js';
import { resolveTerms, type ResolvedTerm } from '../../../wordpress/terms/terms.js';
import { listOf } from '../../../wordpress/rest/checks.js';
import { type CallContext, type Json, type Check, invalidParam } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';
import { can } from '../../../wordpress/users/capabilities.js';
import { isEmptyValue } from './validators.js';
import { unlessRejected } from '../../../wordpress/media/fetch.js';
import { attachImage, isImageAttachment, isUsableImageUrl } from '../model/sideload.js';

/** TEC: empty values of all types are skipped; `true` is the id 1. */
const isScalar = (value: Json): boolean => value === null || typeof value !== 'object';

// TEC: a number is cast to an id.
const termText = (text: string): string => (isNumeric(text) ? toStr(intval(text)) : text);

/** The term with a name, created if necessary; null for an invalid name, which is skipped like unknown ids. */
async function madeTerm(site: Site, taxonomy: string, text: string): Promise<number | null> {
  try {
    return (await findOrCreateTerm(site, taxonomy, text))._id;
  } catch (error) {
    if (error instanceof TermError) return null;
    throw error;
  }
}

async function tagId(text: string, { bySlug, byName, byId }: ResolvedTerm, { site }: CallContext): Promise<number | null> {
  const existing = bySlug ?? byName;
  if (isNumeric(text)) {
    if (!byId) return null;
    // TEC: a tag whose name is the number takes precedence here, too.
    return (site.quirks.has('existing-tag-becomes-its-id') ? byName?._id : undefined) ?? byId._id;
  }
  if (!existing) return madeTerm(site, TAG, text);
  // TEC: an existing tag is converted to its id as text, which may then be the name of another tag.
  return site.quirks.has('existing-tag-becomes-its-id') ? madeTerm(site, TAG, String(existing._id)) : existing._id;
}

async function categoryId(text: string, { bySlug, byName, byId }: ResolvedTerm, { site }: CallContext): Promise<number | null> {
  if (isNumeric(text)) return byId?._id ?? null;
  return (bySlug ?? byName)?._id ?? madeTerm(site, EVENT_CATEGORY, text);
}

/**
 * Ids of the terms in `categories` or `tags` of an event; unknown names are created, unknown ids skipped.
 * Undefined: the parameter was not sent, the terms stay as they are.
 * @throws RestError 400 for lists within lists (TEC: a crash)
 */
export async function termIdsFor(
  name: 'categories' | 'tags',
  value: Json | undefined,
  context: CallContext,
): Promise<number[] | undefined> {
  if (value === undefined) return undefined;
  const items = listOf(value);
  if (!items.every(isScalar)) throw invalidParam(name);
  // WP: names of terms lose one level of backslashes here, but not on the routes of terms.
  const texts = [...new Set(items.map((item) => termText(phpTrim(unslash(toStr(item))))).filter((text) => text !== ''))];
  const taxonomy = name === 'categories' ? EVENT_CATEGORY : TAG;
  const resolved = await resolveTerms(context.site, taxonomy, texts);
  const ids: number[] = [];
  for (const [index, text] of texts.entries()) {
    const id = await (name === 'categories' ? categoryId : tagId)(text, resolved[index], context);
    if (id !== null) ids.push(id);
  }
  return [...new Set(ids)];
}

/** TEC: the id of an image in the library, or a URL if the caller may upload. */
export const image: Check = (value, { request, site }) => {
  if (isNumeric(value)) return isImageAttachment(site.store, Math.trunc(Number(value)));
  if (typeof value !== 'string' || value === '' || !can(request.user, 'upload_files')) return false;
  return isUsableImageUrl(site, value);
};

/** Venues and organizers treat empty values as no image. The type is checked afterwards. */
export const imageOrEmpty: Check = (value, context) => isEmptyValue(value) || image(value, context);

/** The attachment for a validated `image` parameter, fetched if necessary; null for none. */
export async function attachmentFor(value: Json | undefined, { request, site }: CallContext): Promise<number | null> {
  if (value === undefined || value === null || isEmptyValue(value)) return null;
  if (isNumeric(value)) return Math.trunc(Number(value));
  const url = typeof value === 'string' ? value : '';
  const attached = await unlessRejected(site.chosen.media, () => attachImage(site, url, request.user?._id ?? 0));
  // The URL looked like an image, but the content is not one.
  if (attached === undefined) throw invalidParam('image');
  return attached;
}
