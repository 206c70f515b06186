import type { CallContext } from './route.js';

/** How much of an object is shown, and for which use (WP). */
export type Context = 'view' | 'embed' | 'edit';

/** Whether a request is for the edit context, which needs the right to edit. */
export const isEditing = ({ request }: CallContext): boolean => request.get('context') === 'edit';

/** The context of a request whose endpoint declares none. WP: it has an effect anyway. */
export function sentContext({ request }: CallContext): Context {
  const sent = request.get('context');
  return sent === 'embed' || sent === 'edit' ? sent : 'view';
}

/** WP: the response to a write is in the edit context, which from then on is the context of the request. */
export function switchToEditing({ request }: CallContext): void {
  request.sources.query.context = 'edit';
}
