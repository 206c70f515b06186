import { TICKETS_QUIRKS } from '../../../../src/plugins/event-tickets/quirks/index.js';
import { QUIRK_NAMES } from '../../../../src/plugins/quirks.js';
import { type QuirkName } from '../../../../src/wordpress/quirks.js';
import { edgeApi, edgeSignIn } from '../../../support/edge.js';
import { send } from '../../../support/toy.js';
import { LIST_PROOFS } from './lists.js';
import { PAGE_PROOFS } from './pages-and-protocol.js';
import { NEWER_PROOFS } from './tec-v1.js';
import { SURROUNDING_PROOFS } from './versions-wp.js';
import { VERSION_PROOFS } from './versions.js';
import { WORDPRESS_PROOFS } from './wordpress-releases.js';
import { ACCESS_PROOFS } from './writes-and-access.js';
import type { Server } from '../../../../src/index.js';
import type { Ask, Proof } from './proof.js';

/** The quirks of plugins that their own tests prove: `test/endpoints/tickets` and `test/plugins`. */
const OF_OTHERS = { ...TICKETS_QUIRKS, 'acf-shows-hidden-objects': true, 'basic-auth-fails-with-500': true };

/** The quirks of WordPress and of the calendar. */
export type CalendarQuirk = Exclude<QuirkName, keyof typeof OF_OTHERS>;

export const CALENDAR_QUIRK_NAMES = QUIRK_NAMES.filter((name): name is CalendarQuirk => !Object.hasOwn(OF_OTHERS, name));

/** For each quirk, a request whose response differs between the plugin and its documentation. */
export const PROOFS: Record<CalendarQuirk, Proof> = {
  ...LIST_PROOFS,
  ...WORDPRESS_PROOFS,
  ...ACCESS_PROOFS,
  ...PAGE_PROOFS,
  ...NEWER_PROOFS,
  ...VERSION_PROOFS,
  ...SURROUNDING_PROOFS,
};

const asking = (server: () => Server): Ask => ({
  ...edgeApi(server),
  raw: (route, given = {}) => send(server().url, `/wp-json/tribe/events/v1/${route}`, given),
  page: (path) => send(server().url, path),
  upload: async (file, name, query = {}) => {
    const authorization = edgeSignIn('admin');
    const headers = { authorization, 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"` };
    const url = `${server().restUrl}/wp/v2/media?${new URLSearchParams(query).toString()}`;
    return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(file) })).json() as ReturnType<Ask['upload']>;
  },
});

/** Sends the request of a proof, and expects the response that the quirk implies. */
export async function prove(name: CalendarQuirk, server: () => Server, isOn: boolean): Promise<void> {
  const { ask, plugin, documented, writes } = PROOFS[name];
  const answer = await ask(asking(server));
  if (writes) await server().reset();
  expect(answer).toEqual(isOn ? plugin : documented);
}
