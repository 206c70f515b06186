import type { Json } from '../../rest/route.js';
import { PAGE } from '../../model.js';
import type { PostType } from '../../types/post-type.js';
import { allItemsLabel } from '../registry/labels.js';

/** How editors show a list of things, and a form for one of them. */
interface ViewConfig {
  default_view: Json;
  default_layouts: Json;
  view_list: Json[];
  form: Json;
}

const layout = (type: string, labelPosition: string): Json => ({ type, labelPosition });
const PLAIN = layout('regular', 'none');

/** WP: all fields that a post may have. Editors leave out what its type lacks. */
const POST_FORM: Json = {
  layout: { type: 'panel' },
  fields: [
    { id: 'featured_media', layout: PLAIN },
    { id: 'post-content-info', layout: PLAIN },
    { id: 'excerpt', layout: layout('panel', 'top') },
    { id: 'status', label: 'Status', children: [{ id: 'status', layout: PLAIN }, 'scheduled_date', 'password', 'sticky'] },
    ...['date', 'slug', 'author', 'template'],
    { id: 'discussion', label: 'Discussion', children: [{ id: 'comment_status', layout: PLAIN }, 'ping_status'] },
    ...['parent', 'format', 'revisions'],
  ],
};

const BY_TITLE: Json = { field: 'title', direction: 'asc' };

const shared = { filters: [], sort: BY_TITLE, perPage: 20, fields: ['author', 'status'], titleField: 'title' };

const base = (title: string, form: Json): ViewConfig => ({
  default_view: { type: 'table', ...shared },
  default_layouts: { table: {}, grid: {}, list: {} },
  view_list: [{ title, slug: 'all' }],
  form,
});

const AUTHOR_AT_START: Json = { styles: { author: { align: 'start' } } };

const PAGE_VIEWS: readonly [title: string, slug: string, status: string, table?: { [key: string]: Json }][] = [
  ['Published', 'published', 'publish'],
  ['Scheduled', 'future', 'future'],
  ['Drafts', 'drafts', 'draft'],
  ['Pending', 'pending', 'pending'],
  ['Private', 'private', 'private'],
  ['Trash', 'trash', 'trash', { type: 'table', layout: AUTHOR_AT_START }],
];

const pages = ({ view_list, form }: ViewConfig): ViewConfig => ({
  default_view: { type: 'list', ...shared, showLevels: true, mediaField: 'featured_media' },
  default_layouts: { table: { layout: AUTHOR_AT_START }, grid: {}, list: {} },
  view_list: [
    ...view_list,
    ...PAGE_VIEWS.map(([title, slug, status, table]) => ({
      title,
      slug,
      view: { ...table, filters: [{ field: 'status', operator: 'isAny', value: status, isLocked: true }] },
    })),
  ],
  form,
});

export function typeConfig(type: PostType): ViewConfig {
  const ofType = base(allItemsLabel(type), POST_FORM);
  return type.name === PAGE ? pages(ofType) : ofType;
}

/** The configuration for everything else. */
export const otherConfig = (): ViewConfig => base('All items', {});
