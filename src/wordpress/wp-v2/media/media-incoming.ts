import { boundaryOf } from '../../../base/php/multipart.js';
import { createHash } from 'node:crypto';
import { type CallContext, type Check, RestError } from '../../rest/route.js';
import { MediaError, checkImageUrl, unlessRejected } from '../../media/fetch.js';
import type { Upload } from '../../media/upload.js';
import { toStr } from '../../../base/php/cast.js';
import { checkValue, isRefused } from '../../rest/check.js';
import { fileNameOf, imageUrl, readImage } from '../../media/image-url.js';
import { imageTypeOfName } from '../../media/types.js';
import type { Site } from '../../site.js';
import { can } from '../../users/capabilities.js';

const EMPTY_FILE =
  'File is empty. Please upload something more substantial. This error could also be caused by uploads being disabled in your php.ini file or by post_max_size being defined as smaller than upload_max_filesize in php.ini.';

/** A file name in a `Content-Disposition` with any first word; undefined when there is none (WP). */
function dispositionName(header: string): string | undefined {
  const [, ...parts] = header.split(';');
  // WP: the last of several names applies.
  for (const part of parts.toReversed()) {
    const [name, ...rest] = part.split('=');
    const value = rest.join('=').trim();
    if (name.trim() !== 'filename' || value === '') continue;
    const quoted = /^"(.*)"$/s.exec(value);
    return quoted ? quoted[1] : value;
  }
  return undefined;
}

const noData = (): RestError => new RestError('rest_upload_no_data', 'No data supplied.', 400);

const header = ({ request }: CallContext, name: string): string => request.headers[name]?.trim() ?? '';

/** WP: an optional checksum, in hex. */
function checkHash(bytes: Buffer, context: CallContext): void {
  const expected = header(context, 'content-md5');
  if (expected !== '' && createHash('md5').update(bytes).digest('hex') !== expected)
    throw new RestError('rest_upload_hash_mismatch', 'Content hash did not match expected.', 412);
}

/** The kind of an upload, which determines the error codes (WP). */
interface Incoming extends Upload {
  failure: string;
  /** The default title; undefined: the name of the stored file. */
  title?: string;
}

function fromBody(context: CallContext): Incoming {
  const { raw } = context.request;
  if (raw.length === 0) throw noData();
  const disposition = header(context, 'content-disposition');
  if (disposition === '') throw new RestError('rest_upload_no_content_disposition', 'No Content-Disposition supplied.', 400);
  const name = dispositionName(disposition);
  if (name === undefined || name === '') {
    const form = 'Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.';
    throw new RestError('rest_upload_invalid_disposition', `Invalid Content-Disposition supplied. ${form}`, 400);
  }
  checkHash(raw, context);
  return { name: baseName(name), bytes: raw, failure: 'rest_upload_sideload_error' };
}

/** The base name of a path of any system. */
const baseName = (name: string): string => name.replace(/^.*[/\\]/s, '');

const failed = (message: string): RestError => new RestError('rest_upload_unknown_error', message, 500);

function fromForm(context: CallContext): Incoming {
  const file = context.request.files.find(({ field }) => field === 'file');
  if (!file) throw failed('Specified file failed upload test.');
  if (file.filename === '') throw failed('No file was uploaded.');
  checkHash(file.bytes, context);
  if (file.bytes.length === 0) throw failed(EMPTY_FILE);
  const name = baseName(file.filename);
  return { name, bytes: file.bytes, failure: 'rest_upload_unknown_error', title: name.replace(/\.[^.]*$/, '') };
}

/** The file in a request: a raw body with a `Content-Disposition`, or the field `file` of a form. @throws RestError if there is none */
export function incoming(context: CallContext): Incoming {
  if (context.request.files.length > 0) return fromForm(context);
  const type = header(context, 'content-type');
  const isForm = /^multipart\/form-data\b/i.test(type) && boundaryOf(type) !== null;
  // PHP: the raw body of a form is empty after parsing.
  if (isForm) throw noData();
  return fromBody(context);
}

/** Converts the error of a file that cannot be stored to WordPress's. Other errors are thrown again. */
export function asUploadError(error: unknown, { failure }: Pick<Incoming, 'failure'>): never {
  if (error instanceof MediaError) throw new RestError(failure, 'Sorry, you are not allowed to upload this file type.', 500);
  throw error;
}

const invalid = (message: string): RestError => new RestError('rest_invalid_url', message, 400);

const NOT_PUBLIC = {
  code: 'rest_invalid_url',
  message: 'Invalid URL. Provide a valid, publicly reachable HTTP or HTTPS image URL.',
  data: { status: 400 },
};

/** WP: ports of other sites. */
const PORTS = ['', '80', '443', '8080'];

const isOwn = ({ host }: URL, site: Site): boolean => site.ownUrls.some((own) => new URL(own).host === host);

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
  const { media } = site.chosen;
  return (await unlessRejected(media, () => checkImageUrl(url.href, media).then(() => true))) ?? NOT_PUBLIC;
};

/** The image at a URL, as an upload. @throws RestError if there is none, or it must not be requested */
export async function fromUrl(sent: string, site: Site): Promise<Incoming> {
  const url = imageUrl(sent);
  const name = url ? fileNameOf(url) : '';
  if (!url || name === '') throw invalid('Could not determine a filename from the provided URL.');
  if (imageTypeOfName(name) === undefined) throw invalid('The provided URL does not point to a supported image file.');
  const bytes = await unlessRejected(site.chosen.media, () => readImage(site, url));
  if (!bytes) throw new RestError('http_404', 'Not Found', 500);
  return { name, bytes, failure: 'rest_upload_sideload_error' };
}
