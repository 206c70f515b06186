import { isEmbedded } from '../../rest/posts/post-fields.js';
import type { RestType } from '../../rest/posts/post-types.js';
import type { Args, Json, Schema, SchemaLink } from '../../rest/route.js';
import * as shared from '../args.js';
import { EDIT_ONLY, EVERYWHERE, NOT_EMBEDDED, resourceSchema, shown } from '../declare.js';

const { ALL_CONTEXTS } = shared;

const POST_CONTEXTS: Record<string, string[]> = {
  ...Object.fromEntries(
    ['id', 'date', 'link', 'slug', 'type', 'title', 'author', 'excerpt', 'featured_media'].map((field) => [field, ALL_CONTEXTS]),
  ),
  ...Object.fromEntries(['password', 'permalink_template', 'generated_slug'].map((field) => [field, EDIT_ONLY])),
};

const UNIQUE = 'Globally unique identifier.';

/** The unique identifier of a post, as stored and as shown. */
export const GUID: Schema = shown(UNIQUE, {
  type: 'object',
  properties: { raw: shown(UNIQUE, { context: EDIT_ONLY }), rendered: shown(UNIQUE, { context: NOT_EMBEDDED }) },
});

/** The relations for permissions on a post, with the fields that they concern (WP: `targetSchema`). */
export function actionLinks({
  name,
  base,
  supports,
  taxonomies,
}: Pick<RestType, 'name' | 'base' | 'supports' | 'taxonomies'>): SchemaLink[] {
  const link = (action: string, title: string, properties: Record<string, Json>): SchemaLink => ({
    rel: `https://api.w.org/action-${action}`,
    title,
    href: `/wp/v2/${base}/{id}`,
    targetSchema: { type: 'object', properties },
  });
  const ids = { type: 'array', items: { type: 'integer' } };
  return [
    ...(name === 'attachment'
      ? []
      : [link('publish', 'Whether the user can publish the post.', { status: { type: 'string', enum: ['publish', 'future'] } })]),
    link('unfiltered-html', 'Whether the user can write any HTML.', { content: { raw: { type: 'string' } } }),
    ...(supports.includes('sticky')
      ? [link('sticky', 'Whether the user can keep the post at the top.', { sticky: { type: 'boolean' } })]
      : []),
    ...(supports.includes('author')
      ? [link('assign-author', 'Whether the user can change the author.', { author: { type: 'integer' } })]
      : []),
    ...taxonomies.flatMap((taxonomy) => [
      link(`assign-${taxonomy.base}`, `Whether the user can assign terms of ${taxonomy.name}.`, { [taxonomy.base]: ids }),
      link(`create-${taxonomy.base}`, `Whether the user can create terms of ${taxonomy.name}.`, { [taxonomy.base]: ids }),
    ]),
  ];
}

/** The schema of a post. WP: without the fields for pages if the type has none. */
export function postSchema(type: RestType, { date, date_gmt, ...fields }: Args): Record<string, Json> {
  const { name, viewable } = type;
  const ofPages = {
    permalink_template: shown('Permalink with a placeholder for the slug.', {}),
    generated_slug: shown('Slug generated from the title.', {}),
    class_list: shown('CSS classes of the container element.', { type: 'array', items: { type: 'string' } }),
  };
  const all = {
    date,
    date_gmt,
    guid: GUID,
    id: shown('ID of the object.', { type: 'integer' }),
    link: shown('URL of the object.', { format: 'uri' }),
    modified: shown('Date of the last change, in the time zone of the site.', { format: 'date-time' }),
    modified_gmt: shown('Date of the last change, in UTC.', { format: 'date-time' }),
    type: shown('Type of the object.', {}),
    ...(viewable ? ofPages : {}),
    ...fields,
  };
  const embedded: Record<string, string[]> = isEmbedded(type) ? { status: ALL_CONTEXTS, content: ALL_CONTEXTS } : {};
  return resourceSchema(name, all, { ...POST_CONTEXTS, ...embedded }, NOT_EMBEDDED);
}

/** The schema of a revision: the texts of the post, and its date. @param isAutosave whether it also has a preview (WP) */
export function revisionSchema({ name }: RestType, fields: Args, isAutosave: boolean): Record<string, Json> {
  const date = shown('Date of the last change, in the time zone of the site.', { format: 'date-time' });
  const dateGmt = shown('Date of the last change, in UTC.', { format: 'date-time' });
  const texts = Object.fromEntries(
    ['title', 'content', 'excerpt', 'meta'].flatMap((field) => (fields[field] ? [[field, fields[field]]] : [])),
  );
  const all = {
    author: shared.author,
    date,
    date_gmt: dateGmt,
    guid: GUID,
    id: shown('ID of the object.', { type: 'integer' }),
    modified: date,
    modified_gmt: dateGmt,
    parent: shown('ID of the object.', { type: 'integer' }),
    slug: shown('Slug generated from the title.', {}),
    ...texts,
    ...(isAutosave ? { preview_link: shown('URL of the object.', { format: 'uri' }) } : {}),
  };
  const everywhere = ['author', 'date', 'id', 'parent', 'slug', 'title', 'excerpt'].map((field) => [field, EVERYWHERE]);
  return resourceSchema(`${name}-revision`, all, { ...Object.fromEntries(everywhere), preview_link: EDIT_ONLY }, NOT_EMBEDDED);
}
