import type { Arg, Args, Json } from '../../rest/route.js';
import { ATTACHMENT } from '../../model.js';
import type { Registry } from '../../types/registry.js';
import * as shared from '../args.js';
import { fields, oddSchema } from '../declare.js';
import { datedFields, DISCUSSION_FIELDS, FEATURED_MEDIA, postListArgs, sharedMetaField, template } from '../posts/post-args.js';
import { statusFilter } from '../posts/status-filter.js';
import { GUID } from '../posts/post-schemas.js';
import { EDIT_ONLY, EVERYWHERE, NOT_EMBEDDED, resourceSchema, shown } from '../schemas.js';

const MEDIA_STATUSES = ['inherit', 'private', 'trash'];

export const MEDIA_FILTERS = {
  ...postListArgs({ byAuthor: true, byParent: true, status: statusFilter({ name: ATTACHMENT }, MEDIA_STATUSES, 'inherit') }),
  media_type: shared.choice('Only files of this media type.', ['image', 'video', 'text', 'application', 'audio'], { default: null }),
  mime_type: shared.text('Only files of this MIME type.', { default: null }),
};

/** Writable fields of an attachment. */
export const mediaArgs = (registry: Registry) =>
  fields({
    ...datedFields(registry),
    title: shared.title(),
    author: shared.author,
    featured_media: FEATURED_MEDIA,
    ...DISCUSSION_FIELDS,
    meta: sharedMetaField(registry),
    // WP: attachments have no templates to choose from.
    template: template([]),
    alt_text: shared.text('Alternative text of the image.'),
    caption: shared.textParts('Caption', { raw: ['edit'], rendered: shared.ALL_CONTEXTS }),
    description: shared.textParts('Description', { raw: ['edit'], rendered: ['view', 'edit'] }),
    post: shared.integer('ID of the post that the file is attached to.'),
  });

/** WP: older clients crop with these four, in percent of the picture. */
const percent = (description: string): Arg => ({ description, type: 'number', minimum: 0, maximum: 100 });

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

const MODIFIERS = oddSchema({
  description: 'A modification of the image.',
  type: 'object',
  required: ['type', 'args'],
  oneOf: [
    modifier('Rotation', 'rotate', { angle: 'Degrees to rotate the image clockwise.' }),
    modifier('Crop', 'crop', {
      left: 'Left edge of the crop area, in percent of the width.',
      top: 'Top edge of the crop area, in percent of the height.',
      width: 'Width of the crop area, in percent.',
      height: 'Height of the crop area, in percent.',
    }),
  ],
});

export const IMAGE_EDIT_ARGS = {
  src: shared.text('URL of the current image.', { format: 'uri', required: true }),
  modifiers: shared.list('Modifications, in order.', MODIFIERS, { minItems: 1 }),
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
};

const inContexts = (contexts: string[], names: string[]): Record<string, string[]> =>
  Object.fromEntries(names.map((name) => [name, contexts]));

/** The schema of an attachment. */
export const mediaSchema = (declared: Args): Record<string, Json> =>
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
    },
    {
      ...inContexts(EVERYWHERE, ['date', 'id', 'link', 'slug', 'type', 'title', 'author', 'featured_media']),
      ...inContexts(EVERYWHERE, ['alt_text', 'caption', 'media_type', 'mime_type', 'media_details', 'source_url']),
      ...inContexts(EDIT_ONLY, ['permalink_template', 'generated_slug', 'missing_image_sizes']),
    },
    NOT_EMBEDDED,
  );

export const PROCESS_ARGS = { id: shared.id('file'), action: shared.choice('', ['create-image-subsizes'], { required: true }) };
