import { linkedIdArgs } from './linked-args.js';
import { linkedFilters, planLinked } from './lists/linked-filters.js';
import { linkedWrites } from './linked-save.js';
import { LINKED_MESSAGES } from './messages.js';
import { readableOrRefuse, slugArg, type PostResource } from './resource.js';
import { LINKED, type LinkedKind } from '../tec/linked.js';
import { canRead } from '../wp/users/capabilities.js';

/** The resource of a linked kind: what its table says, with its arguments, its facts for `/doc` and its presenter. */
export function linkedResource(kind: LinkedKind, own: Pick<PostResource, 'fields' | 'doc' | 'present'>): PostResource {
  const { type, column } = LINKED[kind];
  const messages = LINKED_MESSAGES[kind];
  return {
    ...own,
    postType: type,
    path: column,
    filters: linkedFilters(column),
    idArgs: linkedIdArgs(type, kind),
    slugArg: slugArg(type, kind),
    missingNeedsGeneralRight: false,
    slugIsWritable: false,
    messages,
    plan: planLinked(column),
    guardRead: (post, _id, { request }) => readableOrRefuse(post, (readable) => canRead(request.user, readable), messages),
    ...linkedWrites(kind),
  };
}
