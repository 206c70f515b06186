import type { Permission, Route } from '../../rest/route.js';
import { described, edit, editing, get, post, removal, route } from '../declare.js';
import { APPLICATION_PASSWORD_FIELDS, applicationPasswordSchema, CONTEXT } from './application-password-args.js';
import * as handlers from './application-password-handlers.js';

const may = (code: string, what: string): Permission =>
  handlers.mayManagePasswords(`rest_cannot_${code}`, `Sorry, you are not allowed to ${what}.`);

/** Routes of a user's application passwords. WP: the captures `user_id` and `uuid` are not declared arguments. */
export function applicationPasswordRoutes(): Route[] {
  const path = '/users/(?P<user_id>(?:[\\d]+|me))/application-passwords';
  return [
    route(
      path,
      get(CONTEXT, {
        permission: may('list_application_passwords', 'list application passwords for this user'),
        handler: handlers.passwordList,
      }),
      post(APPLICATION_PASSWORD_FIELDS, {
        permission: may('create_application_passwords', 'create application passwords for this user'),
        handler: handlers.createPassword,
      }),
      removal(
        {},
        { permission: may('delete_application_passwords', 'delete application passwords for this user'), handler: handlers.removeAll },
      ),
    ),
    route(`${path}/introspect`, get(CONTEXT, { permission: handlers.mayIntrospect, handler: handlers.introspect })),
    route(
      `${path}/(?P<uuid>[\\w\\-]+)`,
      get(CONTEXT, { permission: may('read_application_password', 'read this application password'), handler: handlers.readAppPassword }),
      edit(editing(APPLICATION_PASSWORD_FIELDS), {
        permission: may('edit_application_password', 'edit this application password'),
        handler: handlers.updatePassword,
      }),
      removal({}, { permission: may('delete_application_password', 'delete this application password'), handler: handlers.removePassword }),
    ),
  ].map((each) => described(each, applicationPasswordSchema));
}
