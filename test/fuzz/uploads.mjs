// Uploads to the media library: valid and damaged files, as a raw body or as a form with invalid parts and boundaries.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { mangledBytes } from './mangle.mjs';
import { hostileText } from './values.mjs';

const pick = (...values) => fc.constantFrom(...values);

const fixture = (name) => readFileSync(fileURLToPath(new URL(`../conformance/uploads/2026/${name}`, import.meta.url)));
const PNG = fixture('05/logo-150x150.png');
const FILES = [PNG, fixture('05/dot.gif'), fixture('05/river-stage-150x150.jpg'), fixture('06/poster-150x150.webp')];

/** A PNG that declares other dimensions, with an invalid checksum. */
const dimensions = fc.tuple(pick(0, 1, 65_535, 2 ** 31 - 1, 2 ** 32 - 1), pick(0, 1, 65_535, 2 ** 32 - 1)).map(([width, height]) => {
  const bytes = Buffer.from(PNG);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
});

const OTHERS = [
  '',
  '\0',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  '<?php phpinfo();',
  '%PDF-1.4\n',
  'GIF89a\xff\xff\xff\xff',
  '\x89PNG\r\n\x1a\n',
  'RIFF\xff\xff\xff\xffWEBPVP8 ',
  'PK\x03\x04',
  '\0\0\0\x18ftypavif',
  '\xff\xd8\xff\xe1\xff\xffExif\0\0MM',
].map((text) => Buffer.from(text, 'latin1'));

const content = fc.oneof(
  { weight: 2, arbitrary: pick(...FILES) },
  { weight: 4, arbitrary: fc.oneof(...FILES.map(mangledBytes)) },
  { weight: 2, arbitrary: dimensions },
  { weight: 2, arbitrary: pick(...OTHERS) },
);

const NAMES = ['a.png', 'a.jpg', 'a.webp', 'a.gif', 'a.pdf', 'a.svg', 'a.avif'];
const ODD_NAMES = [
  '../../a.png',
  'C:\\a.png',
  '/etc/passwd',
  '.htaccess',
  'a.php',
  'a.php.png',
  'a.png.php',
  'a',
  '.png',
  '..',
  'a\0.png',
  'a b?#%.png',
  'ü日本.png',
  `${'x'.repeat(300)}.png`,
  'a-150x150.png',
  'a-scaled.png',
  '',
];

const fileName = fc.oneof(
  { weight: 4, arbitrary: pick(...NAMES) },
  { weight: 3, arbitrary: pick(...ODD_NAMES) },
  hostileText.map((text) => `${text.slice(0, 200)}.png`),
);

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'image/svg+xml', 'text/html', 'x', ''];
const BOUNDARY = 'understudy';

/** A single-line text, as quoted strings in headers require. */
const line = (text) => text.toWellFormed().replace(/[\r\n"]/g, '_');

/** A form with a file, with errors in the head of the part, its end, or around it. */
const form = fc
  .record({
    bytes: content,
    name: fileName,
    type: pick(...TYPES),
    field: pick('file', 'file', 'file', 'file', 'file[]', 'file[a]', 'image', ''),
    title: fc.option(hostileText, { freq: 3 }),
    parts: pick(1, 1, 1, 2),
    end: pick('--', '--', '--', '--', '', '-', '--x'),
    start: pick('', '', '', '', 'preamble\r\n', '\r\n'),
    boundary: pick(BOUNDARY, BOUNDARY, BOUNDARY, BOUNDARY, `"${BOUNDARY}"`, 'other', '', 'x'.repeat(100)),
    kept: pick(100, 100, 100, 100, 99, 50, 10),
  })
  .map(({ bytes, name, type, field, title, parts, end, start, boundary, kept }) => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${line(name)}"\r\nContent-Type: ${type}\r\n\r\n`;
    const file = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]);
    const text = title === null ? '' : `--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\n${title}\r\n`;
    const last = Buffer.from(`--${BOUNDARY}${end}\r\n`);
    const whole = Buffer.concat([Buffer.from(start + text), ...Array.from({ length: parts }, () => file), last]);
    return {
      body: whole.subarray(0, Math.floor((whole.length * kept) / 100)),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    };
  });

const ATTACHMENT = 'attachment; filename="*"';
const DISPOSITIONS = [ATTACHMENT, ATTACHMENT, 'attachment; filename=*', "attachment; filename*=UTF-8''*", 'filename=*', '*', ''];

const raw = fc
  .record({
    bytes: content,
    name: fileName,
    type: pick(...TYPES),
    disposition: pick(...DISPOSITIONS),
    md5: pick(undefined, undefined, undefined, 'x', 'd41d8cd98f00b204e9800998ecf8427e'),
  })
  .map(({ bytes, name, type, disposition, md5 }) => {
    const named = disposition.replace('*"', () => `${line(name)}"`).replace(/\*$/, () => line(name));
    return {
      body: bytes,
      headers: {
        'content-type': type,
        'content-disposition': Buffer.from(named.replace(/[^ -~\x80-\uffff]/g, '_'), 'utf8').toString('latin1'),
        ...(md5 === undefined ? {} : { 'content-md5': md5 }),
      },
    };
  });

/** Uploads with a user's credentials. */
export const uploads = (authorization) =>
  fc.oneof(form, raw).map(({ body, headers }) => ({
    method: 'POST',
    target: '/wp-json/wp/v2/media',
    headers: { ...headers, authorization },
    body,
    expects: { kind: 'core', isCollection: true, isExact: false, globals: {}, methods: ['POST'] },
  }));
