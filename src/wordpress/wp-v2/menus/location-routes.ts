import { RestResponse, type Permission, type Route, RestError, refusal } from '../../rest/route.js';
import { can } from '../../users/capabilities.js';
import * as shared from '../args.js';
import { get, route } from '../declare.js';

const viewing: Permission = ({ request: { user } }) =>
  can(user, 'edit_theme_options') || refusal(user, 'rest_cannot_view', 'Sorry, you are not allowed to view menu locations.');

const noLocation = (): never => {
  throw new RestError('rest_menu_location_invalid', 'Invalid menu location.', 404);
};

/** The menu locations of the theme. The block theme of this server has none, like the default one. */
export const menuLocationRoutes = (): Route[] => [
  route('/menu-locations', get({ context: shared.context }, { permission: viewing, handler: () => new RestResponse([]) })),
  route(
    '/menu-locations/(?P<location>[\\w-]+)',
    get({ location: shared.text('Name of the menu location.'), context: shared.context }, { permission: viewing, handler: noLocation }),
  ),
];
