import type { Route } from '../../rest/route.js';
import { described, edit, get, route } from '../declare.js';
import { SETTING_FIELDS, SETTINGS_SCHEMA } from './settings-args.js';
import { mayManageSettings, showSettings, updateSettings } from './settings-handlers.js';

/** Routes of the settings of the site, for administrators. */
export const settingsRoutes = (): Route[] => [
  described(
    route(
      '/settings',
      get({}, { permission: mayManageSettings, handler: showSettings }),
      edit(SETTING_FIELDS, { permission: mayManageSettings, handler: updateSettings }),
    ),
    SETTINGS_SCHEMA,
  ),
];
