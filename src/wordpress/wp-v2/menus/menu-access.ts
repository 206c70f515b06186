import { type CallContext, type Permission, refusal, type RestError } from '../../rest/route.js';
import { can, canWithPosts } from '../../users/capabilities.js';

const mayView =
  (what: string) =>
  ({ request: { user } }: CallContext): boolean | RestError =>
    can(user, 'edit_theme_options') ||
    canWithPosts(user, 'edit') ||
    refusal(user, 'rest_cannot_view', `Sorry, you are not allowed to view ${what}.`);

/** WP: menus and their items may be read by users who may write posts. @param first an earlier check */
export const viewing =
  (what: string, first: Permission): Permission =>
  async (context) => {
    const allowed = first === 'public' || (await first(context));
    return allowed === true ? mayView(what)(context) : allowed;
  };
