import type { Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { described, get, notBuilt, post, route } from '../declare.js';
import { itemRoute } from '../posts/post-routes.js';
import { IMAGE_EDIT_ARGS, MEDIA_FIELDS, MEDIA_FILTERS, MEDIA_SCHEMA, PROCESS_ARGS } from './media-args.js';
import { create, list, process, read, remove, update } from './media-handlers.js';
import { mayDelete, mayEdit, mayEditImage, mayRead, mayReadList } from './media-permissions.js';
import { mayUpload } from './media-upload.js';

/** Routes of the media library. All sizes of a picture are made at its upload; edits of pictures are declared only. */
export const mediaRoutes = (): Route[] => [
  described(
    route(
      '/media',
      get(MEDIA_FILTERS, { permission: mayReadList, handler: list }),
      post(MEDIA_FIELDS, { permission: mayUpload, handler: create }),
    ),
    MEDIA_SCHEMA,
  ),
  described(
    itemRoute('media', { context: shared.context }, MEDIA_FIELDS, {
      read: { permission: mayRead, handler: read },
      update: { permission: mayEdit, handler: update },
      delete: { permission: mayDelete, handler: remove },
    }),
    MEDIA_SCHEMA,
  ),
  route('/media/(?P<id>[\\d]+)/post-process', post(PROCESS_ARGS, { permission: mayEdit, handler: process })),
  route('/media/(?P<id>[\\d]+)/edit', post(IMAGE_EDIT_ARGS, { permission: mayEditImage, handler: notBuilt })),
];
