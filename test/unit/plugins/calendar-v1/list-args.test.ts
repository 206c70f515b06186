import { listAddress } from '../../../../src/plugins/the-events-calendar/calendar-v1/lists/list-args.js';

type Context = Parameters<typeof listAddress>[3];

test.each([
  ['standard', 'events/?min_cost=10&search=x'],
  ['tec', 'events/?search=x'],
])('a parameter of profile standard is no part of addresses under %s', (profile, expected) => {
  const sent: Record<string, string> = { min_cost: '10', search: 'x' };
  const context = {
    request: { get: (name: string) => sent[name], isGiven: () => true },
    site: { quirks: { profile, has: () => false } },
  } as unknown as Context;
  const table: Parameters<typeof listAddress>[1] = {
    min_cost: { type: 'number', description: '', only: 'standard' },
    search: { type: 'string', description: '' },
  };
  expect(listAddress('events/', table, [['min_cost'], ['search']], context)).toBe(expected);
});
