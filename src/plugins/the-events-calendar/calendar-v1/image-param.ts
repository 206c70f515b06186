import { isNumeric } from '../../../base/php/cast.js';
import { can } from '../../../wordpress/users/capabilities.js';
import { invalidParam } from '../../../wordpress/rest/error.js';
import { isEmptyValue } from './validators.js';
import { MediaError } from '../../../wordpress/media/fetch.js';
import { attachImage, isImageAttachment, isUsableImageUrl } from '../model/sideload.js';
import type { CallContext, Check, Json } from '../../../wordpress/rest/route.js';

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
  try {
    return await attachImage(site, typeof value === 'string' ? value : '', request.user?._id ?? 0);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    // The URL looked like an image, but the content is not one.
    site.chosen.media.tell?.(`Image not taken: ${error.message}`);
    throw invalidParam('image');
  }
}
