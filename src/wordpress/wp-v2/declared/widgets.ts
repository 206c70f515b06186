import type { Args, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { WIDGETS } from './access.js';
import { batched, edit, editing, get, post, removal, route } from '../declare.js';

const FORM_DATA = shared.text('URL-encoded form data of the widget.');

const WIDGET_FIELDS: Args = {
  id: shared.text('ID of the widget.'),
  id_base: shared.text('Type of the widget.'),
  sidebar: shared.text('Sidebar of the widget.', { default: 'wp_inactive_widgets', required: true }),
  instance: {
    description: 'Settings of the widget.',
    type: 'object',
    properties: {
      encoded: { description: 'Settings, serialized and Base64-encoded.', type: 'string', context: ['edit'] },
      hash: { description: 'Hash of the encoded settings.', type: 'string', context: ['edit'] },
      raw: { description: 'Unencoded settings, if the widget type supports them.', type: 'object', context: ['edit'] },
    },
  },
  form_data: FORM_DATA,
};

const SIDEBARS: Route[] = [
  route('/sidebars', get({ context: shared.context }, WIDGETS)),
  route(
    '/sidebars/(?P<id>[\\w-]+)',
    get({ id: shared.text('ID of the sidebar.'), context: shared.context }, WIDGETS),
    edit({ widgets: shared.list('Widgets of the sidebar, in order: IDs or objects.', { type: ['object', 'string'] }) }, WIDGETS),
  ),
];

const TYPE_ID = shared.text('ID of the type of widget.');
const TYPE_INSTANCE: Args = {
  id: { ...TYPE_ID, required: true },
  instance: { description: 'Settings of the widget before the change.', type: 'object' },
};

const WIDGET_TYPES: Route[] = [
  route('/widget-types', get({ context: shared.context }, WIDGETS)),
  route('/widget-types/(?P<id>[a-zA-Z0-9_-]+)', get({ id: TYPE_ID, context: shared.context }, WIDGETS)),
  route('/widget-types/(?P<id>[a-zA-Z0-9_-]+)/encode', post({ ...TYPE_INSTANCE, form_data: FORM_DATA }, WIDGETS)),
  route('/widget-types/(?P<id>[a-zA-Z0-9_-]+)/render', post(TYPE_INSTANCE, WIDGETS)),
];

/** Routes of sidebars, types of widgets and widgets. WP: `sidebar` is required on creation in spite of its default. */
export const widgetRoutes = (): Route[] => [
  ...SIDEBARS,
  ...WIDGET_TYPES,
  batched(
    route(
      '/widgets',
      get({ context: shared.context, sidebar: shared.text('Only widgets of this sidebar.') }, WIDGETS),
      post(WIDGET_FIELDS, WIDGETS),
    ),
  ),
  batched(
    route(
      '/widgets/(?P<id>[\\w\\-]+)',
      get({ context: shared.context }, WIDGETS),
      edit(editing(WIDGET_FIELDS), WIDGETS),
      removal({ force: shared.flag('Delete permanently instead of moving to the inactive widgets.') }, WIDGETS),
    ),
  ),
];
