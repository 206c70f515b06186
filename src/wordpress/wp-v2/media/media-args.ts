import type { Arg, Args, Json, Schema } from '../../rest/route.js';
import { ATTACHMENT } from '../../model.js';
import type { Registry } from '../../types/registry.js';
import type { Quirks } from '../../quirks.js';
import type { Site } from '../../site.js';
import * as shared from '../args.js';
import { fields, oddSchema, EDIT_ONLY, EVERYWHERE, NOT_EMBEDDED, resourceSchema, shown } from '../declare.js';
import {
  datedFields,
  DISCUSSION_FIELDS,
  FEATURED_MEDIA,
  postListArgs,
  sharedMetaField,
  template,
  statusFilter,
} from '../posts/post-args.js';
import { GUID } from '../posts/post-schemas.js';
import { checkPublicUrl } from './media-incoming.js';
import SCHEMA_OF_FLIP from './flip.json' with { type: 'json' };

const MEDIA_STATUSES = ['inherit', 'private', 'trash'];

const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'] as const;

export const MEDIA_FILTERS = {
  ...postListArgs({ byAuthor: true, byParent: true, status: statusFilter({ name: ATTACHMENT }, MEDIA_STATUSES, 'inherit') }),
  media_type: {
    description: 'Only files of these media types.',
    type: 'array',
    items: { type: 'string', enum: MEDIA_TYPES },
    default: null,
    under: { 'media-filters-take-one-type': { type: 'string', items: undefined, enum: MEDIA_TYPES } },
  },
  mime_type: {
    description: 'Only files of these MIME types.',
    type: 'array',
    items: { type: 'string' },
    default: null,
    under: { 'media-filters-take-one-type': { type: 'string', items: undefined } },
  },
} as const;

/** Writable fields of an attachment. */
export const mediaArgs = (registry: Registry) =>
  fields({
    ...datedFields(registry),
    title: shared.title(),
    author: shared.author,
    featured_media: FEATURED_MEDIA,
    ...DISCUSSION_FIELDS,
    meta: sharedMetaField(ATTACHMENT, registry),
    // WP: attachments have no templates to choose from.
    template: template([]),
    alt_text: shared.text('Alternative text of the image.'),
    caption: shared.textParts('Caption', { raw: ['edit'], rendered: shared.ALL_CONTEXTS }),
    description: shared.textParts('Description', { raw: ['edit'], rendered: ['view', 'edit'] }),
    post: shared.integer('ID of the post that the file is attached to.'),
  });

type MediaArgs = ReturnType<typeof mediaArgs>;

/** WP: what an upload has besides. */
export const uploadArgs = (written: MediaArgs) => ({
  ...written,
  generate_sub_sizes: shared.flag('Whether to make smaller sizes of the image.', { default: true, absentUnder: 'uploads-are-files' }),
  convert_format: shared.flag('Whether to convert the format of the image.', { default: true, absentUnder: 'uploads-are-files' }),
  url: shared.text('URL of an image to store instead of a file in the request.', {
    format: 'uri',
    validate: checkPublicUrl,
    absentUnder: 'uploads-are-files',
  }),
});

/** WP: older clients crop with these four, in percent of the picture. */
const percent = (description: string) => ({ description, type: 'number', minimum: 0, maximum: 100 }) as const satisfies Arg;

/** A kind of change to a picture: its name, and its numbers with their descriptions. */
const modifier = (title: string, type: string, numbers: Record<string, string>): Json => ({
  title,
  properties: {
    type: { description: 'Type of the modification.', type: 'string', enum: [type] },
    args: {
      description: 'Arguments of the modification.',
      type: 'object',
      required: Object.keys(numbers),
      properties: Object.fromEntries(Object.entries(numbers).map(([name, description]) => [name, { description, type: 'number' }])),
    },
  },
});

/** WP: along either axis, or both. */
const FLIP: Json = SCHEMA_OF_FLIP;

const modifiers = (...choices: Json[]): Schema =>
  oddSchema({ description: 'A modification of the image.', type: 'object', required: ['type', 'args'], oneOf: choices });

const TURN_AND_CROP = [
  modifier('Rotation', 'rotate', { angle: 'Degrees to rotate the image clockwise.' }),
  modifier('Crop', 'crop', {
    left: 'Left edge of the crop area, in percent of the width.',
    top: 'Top edge of the crop area, in percent of the height.',
    width: 'Width of the crop area, in percent.',
    height: 'Height of the crop area, in percent.',
  }),
];

/** WP: fields of the new image. */
function newImageFields({ caption, description, title, post, alt_text }: MediaArgs) {
  const since = { absentUnder: 'edited-images-take-no-fields' } as const;
  return {
    caption: { ...caption, ...since },
    description: { ...description, ...since },
    title: { ...title, ...since },
    post: { ...post, ...since },
    alt_text: { ...alt_text, ...since },
  };
}

export const imageEditArgs = (written: MediaArgs) => ({
  src: shared.text('URL of the current image.', { format: 'uri', required: true }),
  modifiers: shared.list('Modifications, in order.', modifiers(FLIP, ...TURN_AND_CROP), {
    minItems: 1,
    under: { 'no-flips-of-images': { items: modifiers(...TURN_AND_CROP) } },
  }),
  rotation: shared.integer('Degrees to rotate the image clockwise.', {
    minimum: 0,
    exclusiveMinimum: true,
    maximum: 360,
    exclusiveMaximum: true,
  }),
  x: percent('Left edge of the crop area.'),
  y: percent('Top edge of the crop area.'),
  width: percent('Width of the crop area.'),
  height: percent('Height of the crop area.'),
  ...newImageFields(written),
});

const inContexts = (contexts: string[], names: string[]): Record<string, string[]> =>
  Object.fromEntries(names.map((name) => [name, contexts]));

/** Fields that older releases lack. */
const fileFields = (quirks: Quirks): Record<string, Schema> => ({
  ...(quirks.has('no-file-names-of-media')
    ? {}
    : {
        filename: shown('Name of the uploaded file.', {}),
        filesize: shown('Size of the file in bytes.', { type: quirks.has('no-encoding-of-images') ? 'integer' : ['integer', 'null'] }),
        exif_orientation: shown('Orientation of the image as stored (EXIF); 1 is upright.', { type: 'integer' }),
      }),
  ...(quirks.has('no-encoding-of-images')
    ? {}
    : {
        image_output_format: shown('MIME type to which the image is to be converted.', { type: ['string', 'null'] }),
        image_save_progressive: shown('Whether versions of the image are stored progressively.', { type: 'boolean' }),
        image_quality: shown('Quality of versions of the image.', { type: 'object' }),
      }),
});

export const mediaSchema =
  (declared: Args) =>
  ({ quirks }: Pick<Site, 'quirks'>): Record<string, Json> =>
    resourceSchema(
      'attachment',
      {
        ...declared,
        guid: GUID,
        id: shown('ID of the object.', { type: 'integer' }),
        link: shown('URL of the object.', { format: 'uri' }),
        modified: shown('Date of the last change, in the time zone of the site.', { format: 'date-time' }),
        modified_gmt: shown('Date of the last change, in UTC.', { format: 'date-time' }),
        type: shown('Type of the object.', {}),
        permalink_template: shown('Permalink with a placeholder for the slug.', {}),
        generated_slug: shown('Slug generated from the title.', {}),
        class_list: shown('CSS classes of the container element.', { type: 'array', items: { type: 'string' } }),
        media_type: shown('Type of the file: image or other.', { enum: ['image', 'file'] }),
        mime_type: shown('MIME type of the file.', {}),
        media_details: shown('Metadata of the file.', { type: 'object' }),
        source_url: shown('URL of the file.', { format: 'uri' }),
        missing_image_sizes: shown('Missing sizes of the image.', { type: 'array', items: { type: 'string' } }),
        ...fileFields(quirks),
      },
      {
        ...inContexts(EVERYWHERE, ['date', 'id', 'link', 'slug', 'type', 'title', 'author', 'featured_media']),
        ...inContexts(EVERYWHERE, ['alt_text', 'caption', 'media_type', 'mime_type', 'media_details', 'source_url']),
        ...inContexts(EDIT_ONLY, ['permalink_template', 'generated_slug', 'missing_image_sizes']),
        ...inContexts(EDIT_ONLY, ['exif_orientation', 'image_output_format', 'image_save_progressive', 'image_quality']),
      },
      NOT_EMBEDDED,
    );

export const PROCESS_ARGS = { id: shared.id('file'), action: shared.choice('', ['create-image-subsizes'], { required: true }) };
