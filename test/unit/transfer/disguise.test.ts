import { Disguise } from '../../../src/plugins/event-tickets/content/pull/site-tickets.js';

/** Names and addresses for the attendees of a site. */
function disguised(people: readonly [id: number, title: string, email: string][]): [name: string, email: string][] {
  const disguise = new Disguise();
  const all = people.map(([id, title, email]) => ({ id, title, email }));
  for (const person of all) disguise.add(person);
  return all.map((person) => [disguise.name(person), disguise.email(person)]);
}

test('the same person stays one', () => {
  expect(
    disguised([
      [9, 'Ann Attends', 'ann@example.com'],
      [4, 'ann attends ', ' Ann@Example.com'],
      [5, 'Her guest', 'ann@example.com'],
    ]),
  ).toEqual([
    ['Attendee 4', 'attendee-4@example.org'],
    ['Attendee 4', 'attendee-4@example.org'],
    ['Attendee 5', 'attendee-4@example.org'],
  ]);
});

test('different people stay different, also of the same name', () => {
  expect(
    disguised([
      [1, 'Ann Attends', 'ann@example.com'],
      [2, 'Ann Attends', 'ann@example.net'],
    ]),
  ).toEqual([
    ['Attendee 1', 'attendee-1@example.org'],
    ['Attendee 2', 'attendee-2@example.org'],
  ]);
});

test('nobody gets an address who has none, and nobody without one is somebody else', () => {
  expect(
    disguised([
      [1, 'Ann Attends', ''],
      [2, 'Ann Attends', ''],
    ]),
  ).toEqual([
    ['Attendee 1', ''],
    ['Attendee 2', ''],
  ]);
});
