import { useThings } from './things.js';
import type { Profile } from '../../src/wordpress/quirks.js';

const PATH = '/wp-json/toy/v1/sometimes';

interface RouteEntry {
  endpoints: { args: Record<string, unknown> }[];
}

describe.each<[Profile, string[], string]>([
  ['tec', ['always', 'tec', 'quirk'], 'standard'],
  ['standard', ['always', 'standard'], 'tec'],
])('arguments that exist under `%s`', (profile, existing, missing) => {
  const toy = useThings(profile);

  test('are shown by OPTIONS and the index', async () => {
    const { json } = await toy().call(PATH, { method: 'OPTIONS' });
    expect(Object.keys((json as RouteEntry).endpoints[0].args)).toEqual(existing);
    const index = (await toy().call('/wp-json/toy/v1')).json as { routes: Record<string, RouteEntry> };
    expect(Object.keys(index.routes['/toy/v1/sometimes'].endpoints[0].args)).toEqual(existing);
  });

  test('are validated and passed to the handler; other arguments are ignored', async () => {
    const query = existing.map((name) => `${name}=5`).join('&');
    const { json } = await toy().call(`${PATH}?${query}&${missing}=x`);
    expect(json).toEqual(Object.fromEntries(existing.map((name) => [name, 5])));
    const { status } = await toy().call(`${PATH}?${query}&${existing[1]}=x`);
    expect(status).toBe(400);
  });
});
