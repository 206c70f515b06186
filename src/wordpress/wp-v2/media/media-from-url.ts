import { toStr } from '../../../base/php/cast.js';
import { RestError } from '../../rest/error.js';
import type { Check } from '../../rest/route.js';
import { checkValue, isRefused } from '../../rest/check.js';
import { checkImageUrl, MediaError } from '../../media/fetch.js';
import { fileNameOf, imageUrl, readImage } from '../../media/image-url.js';
import { imageTypeOfName } from '../../media/types.js';
import type { Site } from '../../site.js';
import { can } from '../../users/capabilities.js';
import type { Incoming } from './media-incoming.js';

const invalid = (message: string): RestError => new RestError('rest_invalid_url', message, 400);

const NOT_PUBLIC = {
  code: 'rest_invalid_url',
  message: 'Invalid URL. Provide a valid, publicly reachable HTTP or HTTPS image URL.',
  data: { status: 400 },
};

/** WP: ports of other sites. */
const PORTS = ['', '80', '443', '8080'];

const isOwn = ({ host }: URL, site: Site): boolean => site.ownUrls.some((own) => new URL(own).host === host);

/** Runs an action that may reject an image. @returns false if it does; the reason is only told to the operator */
async function isAccepted(site: Site, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    site.chosen.media.tell?.(`Image not taken: ${error.message}`);
    return false;
  }
}

/**
 * WP: the URL of an image must be public, or of the site itself; that is checked before permissions. Not of WordPress: names are only resolved for
 * callers who may upload.
 */
export const checkPublicUrl: Check = async (value, { site, request }) => {
  const checked = checkValue(value, { type: 'string', format: 'uri' }, 'url');
  if (isRefused(checked)) return checked;
  const url = imageUrl(toStr(value));
  if (!url || url.username !== '' || url.password !== '') return NOT_PUBLIC;
  if (isOwn(url, site)) return true;
  if (!site.chosen.media.allowPrivateUrls && !PORTS.includes(url.port)) return NOT_PUBLIC;
  const isName = /[a-z]/i.test(url.hostname);
  if (isName && !can(request.user, 'upload_files')) return true;
  return (await isAccepted(site, () => checkImageUrl(url.href, site.chosen.media))) || NOT_PUBLIC;
};

/** The image at a URL, as an upload. @throws RestError if there is none, or it must not be requested */
export async function fromUrl(sent: string, site: Site): Promise<Incoming> {
  const url = imageUrl(sent);
  const name = url ? fileNameOf(url) : '';
  if (!url || name === '') throw invalid('Could not determine a filename from the provided URL.');
  if (imageTypeOfName(name) === undefined) throw invalid('The provided URL does not point to a supported image file.');
  let bytes: Buffer | undefined;
  await isAccepted(site, async () => {
    bytes = await readImage(site, url);
  });
  if (!bytes) throw new RestError('http_404', 'Not Found', 500);
  return { name, bytes, failure: 'rest_upload_sideload_error' };
}
