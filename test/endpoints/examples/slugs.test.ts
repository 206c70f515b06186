import { startWorld } from '../../support/api.js';
import { examples, measured, wanted, type MeasuredRefusal } from './examples.js';

interface Event {
  id: number;
  slug: string;
}

const api = startWorld();

const DATES = { start_date: '2026-08-01 10:00:00', end_date: '2026-08-01 12:00:00' };

const slugOf = async (fields: Record<string, unknown>, output: string | MeasuredRefusal): Promise<unknown> => {
  const answer = await api.post<Event>('events', { ...DATES, ...fields });
  // A trashed event frees its slug for the next row.
  if (answer.status === 201) await api.delete(`events/${answer.body.id}`);
  return measured(answer, output, ({ id, slug }) => slug.replaceAll(String(id), '{{id}}'));
};

test.each(examples<string, string>('slugs-from-title'))('of the title %s', async (_name, { input, output }) => {
  expect(await slugOf({ title: input }, output)).toEqual(wanted(output));
});

test.each(examples<string, string>('slugs-explicit'))('sent as %s', async (_name, { input, output }) => {
  expect(await slugOf({ title: 'Zed', slug: input }, output)).toEqual(wanted(output));
});
