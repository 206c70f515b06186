import { DATES, ids, newer, proof, tried } from './proof.js';
import type { Login } from '../../../support/api.js';
import type { CategoryList, Venue } from '../../../../src/sdk/types/responses.js';

/** Quirks of `tec/v1`. */
export const NEWER_PROOFS = {
  'tec-v1-needs-acknowledgement': proof({
    ask: async (ask) => [await tried(ask, 'GET', '/tec/v1/venues'), await tried(ask, 'GET', '/tec/v1/docs')],
    plugin: ['400 missing_experimental_endpoint_acknowledgement', '200'],
    documented: ['200', '200'],
  }),
  'tec-v1-filters-do-nothing': proof({
    ask: async (ask) => {
      const [{ id }] = (await ask.get<CategoryList>('categories?slug=order')).body.categories;
      const pairs = [
        ['events', `events?categories[]=${id}`],
        ['venues?has_events=1', 'venues?has_events=0'],
        ['venues', 'venues?only_with_upcoming=true'],
      ];
      const answers = pairs.map((pair) => Promise.all(pair.map(async (route) => (await newer(ask, 'GET', route)).total)));
      return (await Promise.all(answers)).map(([first, second]) => first === second);
    },
    plugin: [true, true, true],
    documented: [false, false, false],
  }),
  'tec-v1-publishes-by-default': proof({
    writes: true,
    ask: async (ask) => {
      const made = await newer(ask, 'POST', 'organizers', 'contributor', { title: 'New' });
      const draft = await newer(ask, 'POST', 'venues', 'admin', { title: 'New', status: 'draft' });
      const changed = await newer(ask, 'PUT', `venues/${draft.body.id}`, 'admin', { title: 'Newer' });
      return [made, draft, changed].map(({ body }) => body.status);
    },
    plugin: ['publish', 'draft', 'publish'],
    documented: ['draft', 'draft', 'draft'],
  }),
  'tec-v1-casts-booleans': proof({
    ask: async (ask) => {
      const [yes, no, off] = await Promise.all(['true', 'false', 'off'].map((value) => newer(ask, 'GET', `events?featured=${value}`)));
      return [yes.total === no.total, off.total === yes.total];
    },
    plugin: [true, true],
    documented: [false, false],
  }),
  'tec-v1-writes-loosely': proof({
    writes: true,
    ask: async (ask) => {
      const date = '2027-05-01 10:00:00';
      const [hall] = await ids(ask, 'open-hall');
      const made = await newer(ask, 'POST', 'events', 'admin', { title: 'New', ...DATES, date, cost: '£5', venues: [hall] });
      const changed = await newer(ask, 'PUT', `events/${made.body.id}`, 'admin', { start_date: '2026-11-10 10:30:00', venues: [] });
      const late = await newer(ask, 'PUT', `events/${made.body.id}`, 'admin', { start_date: '2026-11-10 12:00:00' });
      const venue = await newer(ask, 'PUT', `venues/${hall}`, 'admin', { country: 'Ireland', province: 'Ulster' });
      const fields = { ...changed.body, ...(venue.body as object) } as unknown as Record<string, unknown>;
      const { date: local, date_gmt: utc } = made.body as unknown as Record<string, string>;
      const { cost, duration } = changed.body as unknown as Record<string, string>;
      const { venues } = changed.body as unknown as { venues: unknown[] };
      return [local === utc, cost, duration, venues.length, fields.state_province === 'Ulster', 'error' in late.body];
    },
    plugin: [true, '$5', '3600', 1, false, false],
    documented: [false, '£5', '1800', 0, true, true],
  }),
  'tec-v1-shows-raw-texts': proof({
    ask: async (ask) => {
      const [hall] = await ids(ask, 'open-hall');
      const raw = async (as?: Login): Promise<boolean> => 'password' in (await newer(ask, 'GET', `venues/${hall}?context=edit`, as)).body;
      return [await raw(), await raw('subscriber'), await raw('admin')];
    },
    plugin: [true, true, true],
    documented: [false, false, true],
  }),
  'tec-v1-password-opens-linked': proof({
    writes: true,
    ask: async (ask) => {
      const [hall] = await ids(ask, 'locked-hall');
      const made = await newer(ask, 'POST', 'events', 'admin', { title: 'Locked', ...DATES, venues: [hall] });
      await ask.call('POST', `/wp/v2/tribe_events/${made.body.id}`, { as: 'admin', body: { password: 'of the event' } });
      const { body } = await newer(ask, 'GET', `events/${made.body.id}?password=of+the+event`);
      return (body as unknown as { venues: Venue[] }).venues.map(({ address }) => address !== 'Password protected');
    },
    plugin: [true],
    documented: [false],
  }),
} as const;
