import type { RestType } from '../../rest/posts/post-types.js';
import type { Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { described, get, notBuilt, post, route } from '../declare.js';
import { actionLinks } from '../posts/post-schemas.js';
import { itemRoute } from '../posts/post-routes.js';
import { IMAGE_EDIT_ARGS, MEDIA_FILTERS, mediaArgs, mediaSchema, PROCESS_ARGS } from './media-args.js';
import { createMedia, mediaList, process, readMedia, removeMedia, updateMedia } from './media-handlers.js';
import { mayDeleteMedia, mayEdit, mayEditImage, mayReadMedia, mayReadMediaList } from './media-permissions.js';
import { mayUpload } from './media-upload.js';

/** Routes of the media library. All sizes of a picture are generated on upload; edits of pictures are only declared. */
export function mediaRoutes(type: RestType): Route[] {
  const fields = mediaArgs(type.registry);
  const [schema, links] = [mediaSchema(fields), actionLinks(type)];
  const withSchema = (declared: Route): Route => ({ ...described(declared, schema), links });
  return [
    withSchema(
      route(
        '/media',
        get(MEDIA_FILTERS, { permission: mayReadMediaList, handler: (call) => mediaList(type, call) }),
        post(fields, { permission: mayUpload, handler: createMedia }),
      ),
    ),
    withSchema(
      itemRoute('media', { context: shared.context }, fields, {
        read: { permission: mayReadMedia, handler: readMedia },
        update: { permission: mayEdit, handler: updateMedia },
        delete: { permission: mayDeleteMedia, handler: removeMedia },
      }),
    ),
    route('/media/(?P<id>[\\d]+)/post-process', post(PROCESS_ARGS, { permission: mayEdit, handler: process })),
    route('/media/(?P<id>[\\d]+)/edit', post(IMAGE_EDIT_ARGS, { permission: mayEditImage, handler: notBuilt })),
  ];
}
