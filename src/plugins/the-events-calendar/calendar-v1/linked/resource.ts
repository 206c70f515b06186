import { linkedIdArgs } from './args.js';
import { linkedFilters, planLinked } from '../lists/linked-filters.js';
import { linkedWrites } from './save.js';
import { LINKED_MESSAGES } from '../messages.js';
import { requireReadable, slugArg, type PostResource } from '../resource.js';
import { presentLinked, type JsonLd, type LinkedItem } from './present.js';
import { ucfirst } from '../../../../base/php/cast.js';
import { LINKED, type LinkedKind } from '../../model/linked.js';
import type { TextNames } from '../../model/field.js';
import type { DocFacts } from '../doc/doc-facts.js';
import { canRead } from '../../../../wordpress/users/capabilities.js';

/** Specifics of a kind: its arguments, its documentation and its JSON-LD. */
interface KindSpec extends Pick<PostResource, 'fields'> {
  doc: Omit<DocFacts, 'schema' | 'noun'>;
  jsonLd: JsonLd;
}

export type LinkedResource = PostResource & Pick<KindSpec, 'jsonLd'>;

/** The kind, unless its published type lacks a text of its table. */
type Published<Kind extends LinkedKind> = TextNames<(typeof LINKED)[Kind]['fields']> extends keyof LinkedItem<Kind> ? Kind : never;

export function linkedResource<Kind extends LinkedKind>(kind: Kind & Published<Kind>, own: KindSpec): LinkedResource {
  const { type, column } = LINKED[kind];
  const messages = LINKED_MESSAGES[kind];
  return {
    ...own,
    doc: { schema: ucfirst(kind), noun: kind, ...own.doc },
    present: (post, view) => presentLinked(kind, post, view, view.single ? own.jsonLd.make : null),
    postType: type,
    path: column,
    filters: linkedFilters(column),
    idArgs: linkedIdArgs(type, kind),
    slugArg: slugArg(type, kind),
    missingNeedsGeneralRight: () => false,
    slugIsWritable: false,
    messages,
    plan: planLinked(column),
    guardRead: (post, _id, { request, site }) =>
      requireReadable(post, (readable) => canRead(request.user, readable, site.registry), messages),
    ...linkedWrites(kind, own.fields),
  };
}
