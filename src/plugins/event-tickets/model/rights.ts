import { isSame } from '../../../wordpress/users/secrets.js';
import type { User } from '../../../wordpress/model.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { can } from '../../../wordpress/users/capabilities.js';

/** Whether a user manages attendees. By default only administrators do. */
export const isManager = (user: User | null): boolean => can(user, 'edit_users');

/** Whether a request has the key of the app that checks attendees in. */
export function hasAppKey({ request, site }: CallContext): boolean {
  const { appKey } = site.options.tickets;
  const sent = request.get('api_key');
  return appKey !== '' && typeof sent === 'string' && isSame(sent, appKey);
}

/** Whether a caller manages attendees: as a user, or as the app. */
export const manages = (context: CallContext): boolean => isManager(context.request.user) || hasAppKey(context);
