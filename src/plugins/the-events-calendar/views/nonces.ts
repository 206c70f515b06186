import { createNonce, findSession, verifyNonce, VISITOR, type NonceHolder } from '../../../wordpress/users/sessions.js';
import { parseCookies } from '../../../wordpress/rest/request.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import type { Reading } from '../../../wordpress/views/reading.js';

/** TEC: the action of the nonces with which scripts get parts of pages. */
const ACTION = '_view_rest';

/** The nonces in a page: of its reader, and of visitors if the reader is none, for whoever gets the page from a cache. */
export interface ViewNonces {
  tvn1: string;
  tvn2: string;
}

export async function viewNonces({ site, reader, request }: Reading): Promise<ViewNonces> {
  const holder = (await findSession(site, request.cookies)) ?? (reader ? { user: reader, token: '' } : VISITOR);
  const of = (whose: NonceHolder): Promise<string> => createNonce(site, whose, ACTION);
  return { tvn1: await of(holder), tvn2: holder === VISITOR ? '' : await of({ ...VISITOR, token: holder.token }) };
}

/** Whether a request has a nonce of its caller. TEC: these nonces sign in the user of a session, without the nonce of WordPress. */
export async function hasViewNonce({ site, request }: CallContext): Promise<boolean> {
  const session = request.user ? null : await findSession(site, parseCookies(request.headers.cookie));
  if (session) Object.assign(request, { user: session.user, session: session.token });
  const holder = request.user ? { user: request.user, token: request.session } : VISITOR;
  for (const sent of [request.get('tvn1'), request.get('tvn2')])
    if (typeof sent === 'string' && (await verifyNonce(site, holder, ACTION, sent))) return true;
  return false;
}
