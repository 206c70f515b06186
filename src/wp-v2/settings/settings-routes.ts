import type { Route } from '../../rest/route.js';
import { described, edit, get, route } from '../declare.js';
import { SETTING_FIELDS, SETTINGS_SCHEMA } from './settings-args.js';
import { mayManage, show, update } from './settings-handlers.js';

/** Routes of the settings of the site, for administrators. */
export const settingsRoutes = (): Route[] => [
  described(
    route('/settings', get({}, { permission: mayManage, handler: show }), edit(SETTING_FIELDS, { permission: mayManage, handler: update })),
    SETTINGS_SCHEMA,
  ),
];
