import { boundaryOf } from '../../../base/php/multipart.js';
import { createHash } from 'node:crypto';
import { RestError } from '../../rest/error.js';
import type { CallContext } from '../../rest/route.js';
import { MediaError } from '../../media/fetch.js';
import type { Upload } from '../../media/upload.js';

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
export interface Incoming extends Upload {
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
