import type { RestType } from '../../rest/posts/post-types.js';
import { takesClientSizes } from '../../media/client-sizes.js';
import type { Endpoint, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { described, get, post, route } from '../declare.js';
import { actionLinks } from '../posts/post-schemas.js';
import { itemRoute } from '../posts/post-routes.js';
import { imageEditArgs, MEDIA_FILTERS, mediaArgs, mediaSchema, PROCESS_ARGS, uploadArgs } from './media-args.js';
import { createMedia, editMedia, finalize, mediaList, process, readMedia, removeMedia, updateMedia } from './media-handlers.js';
import { mayDeleteMedia, mayEdit, mayEditImage, mayReadMedia, mayReadMediaList } from './media-permissions.js';
import { finalizeArgs, sideload, sideloadArgs } from './media-sizes.js';
import { mayUpload } from './media-write.js';

/** Routes of the media library. All sizes of a picture are generated on upload, unless its client makes them. */
export function mediaRoutes(type: RestType): Route[] {
  const fields = mediaArgs(type.registry);
  const [schema, links] = [mediaSchema(fields), actionLinks(type)];
  const withSchema = (declared: Route): Route => ({ ...described(declared, schema), links });
  const ofClients = (name: string, endpoint: Endpoint): Route => ({
    ...withSchema(route(`/media/(?P<id>[\\d]+)/${name}`, endpoint)),
    absentUnder: 'no-sizes-made-by-clients',
    existsFor: takesClientSizes,
  });
  return [
    withSchema(
      route(
        '/media',
        get(MEDIA_FILTERS, { permission: mayReadMediaList, handler: (call) => mediaList(type, call) }),
        post(uploadArgs(fields), { permission: mayUpload, handler: createMedia }),
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
    route('/media/(?P<id>[\\d]+)/edit', post(imageEditArgs(fields), { permission: mayEditImage, handler: editMedia })),
    ofClients('sideload', post(sideloadArgs(type.registry), { permission: mayEditImage, handler: sideload })),
    ofClients('finalize', post(finalizeArgs(type.registry), { permission: mayEditImage, handler: finalize })),
  ];
}
