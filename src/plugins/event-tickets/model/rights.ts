import type { User } from '../../../wordpress/model.js';
import { can } from '../../../wordpress/users/capabilities.js';

/** Whether a user manages attendees. By default only administrators do. */
export const isManager = (user: User | null): boolean => can(user, 'edit_users');
