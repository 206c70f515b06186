import type { Arg, Args, Json, Route } from '../rest/route.js';
import * as shared from './args.js';
import { get, oddSchema, post, route } from './declare.js';
import type { Answers, Operation } from './declare.js';
import { DATED_FIELDS, DISCUSSION_FIELDS, FEATURED_MEDIA, postListArgs, postMeta, TEMPLATE } from './post-args.js';
import { itemRoute } from './posts.js';

export type MediaOperation = Operation | 'process' | 'editImage';

const MEDIA_FILTERS: Args = {
  ...postListArgs({
    byAuthor: true,
    byParent: true,
    status: shared.list('Statuses to keep.', { enum: ['inherit', 'private', 'trash'], type: 'string' }, { default: 'inherit' }),
  }),
  media_type: shared.choice('Keep files of this kind.', ['image', 'video', 'text', 'application', 'audio'], { default: null }),
  mime_type: shared.text('Keep files of this MIME type.', { default: null }),
};

const MEDIA_FIELDS: Args = {
  ...DATED_FIELDS,
  title: shared.title(),
  author: shared.author,
  featured_media: FEATURED_MEDIA,
  ...DISCUSSION_FIELDS,
  meta: postMeta({}),
  template: TEMPLATE,
  alt_text: shared.text('Text that stands in for the picture.'),
  caption: shared.textParts('Caption', { raw: ['edit'], rendered: shared.ALL_CONTEXTS }),
  description: shared.textParts('Description', { raw: ['edit'], rendered: ['view', 'edit'] }),
  post: shared.integer('ID of the post it is attached to.'),
};

/** WP: older clients crop with these four, in percent of the picture. */
const percent = (description: string): Arg => ({ description, type: 'number', minimum: 0, maximum: 100 });

/** One kind of change to a picture: its name, and the numbers that it takes, each with what it says. */
const modifier = (title: string, type: string, numbers: Record<string, string>): Json => ({
  title,
  properties: {
    type: { description: 'Kind of change.', type: 'string', enum: [type] },
    args: {
      description: 'Numbers that the change takes.',
      type: 'object',
      required: Object.keys(numbers),
      properties: Object.fromEntries(Object.entries(numbers).map(([name, description]) => [name, { description, type: 'number' }])),
    },
  },
});

const MODIFIERS = oddSchema({
  description: 'A change to the picture.',
  type: 'object',
  required: ['type', 'args'],
  oneOf: [
    modifier('Rotation', 'rotate', { angle: 'Degrees to turn the picture clockwise.' }),
    modifier('Crop', 'crop', {
      left: 'Left edge of the part to keep, in percent of the width.',
      top: 'Top edge of the part to keep, in percent of the height.',
      width: 'Width of the part to keep, in percent.',
      height: 'Height of the part to keep, in percent.',
    }),
  ],
});

const IMAGE_EDIT_ARGS: Args = {
  src: shared.text('Address of the picture as it stands.', { format: 'uri', required: true }),
  modifiers: shared.list('Changes to make, in order.', MODIFIERS, { minItems: 1 }),
  rotation: shared.integer('Degrees to turn the picture clockwise.', {
    minimum: 0,
    exclusiveMinimum: true,
    maximum: 360,
    exclusiveMaximum: true,
  }),
  x: percent('Left edge of the part to keep.'),
  y: percent('Top edge of the part to keep.'),
  width: percent('Width of the part to keep.'),
  height: percent('Height of the part to keep.'),
};

/** Routes of the media library: files, their sizes and the edits of pictures. */
export const mediaRoutes = (answers: Answers<MediaOperation> = {}): Route[] => [
  route('/media', get(MEDIA_FILTERS, answers.list), post(MEDIA_FIELDS, answers.create)),
  itemRoute('media', { context: shared.context }, MEDIA_FIELDS, answers),
  route(
    '/media/(?P<id>[\\d]+)/post-process',
    post({ id: shared.id('file'), action: shared.choice('', ['create-image-subsizes'], { required: true }) }, answers.process),
  ),
  route('/media/(?P<id>[\\d]+)/edit', post(IMAGE_EDIT_ARGS, answers.editImage)),
];
