import { startWorld, type Answer } from '../../support/api.js';
import { examples, measured, pick } from './examples.js';

interface Zoned {
  timezone: string;
  timezone_abbr: string;
  utc_start_date: string;
}

// Measured with this zone data.
const api = startWorld({ zones: '2025b' });

const SUMMER = '2026-08-01';
const WINTER = '2027-01-10';

const create = (timezone: string, day: string, time: string): Promise<Answer<Zoned>> =>
  api.post('events', { title: 'Zed', start_date: `${day} ${time}`, end_date: '2035-01-01 00:00:00', timezone });

test.each(examples<string, { summer: Zoned; winter: Zoned }>('timezones'))('%s', async (_name, { input, output }) => {
  const shown = async (day: string): Promise<unknown> =>
    measured(await create(input, day, '10:00:00'), output, (event) => pick(event, ['timezone', 'timezone_abbr', 'utc_start_date']));
  const [summer, winter] = [await shown(SUMMER), await shown(WINTER)];
  expect('summer' in output ? { summer, winter } : summer).toEqual(output);
});

test.each(examples<string, Record<string, string>>('utc-offset-zones'))('noon at %s', async (_name, { input, output }) => {
  const utcOf = async (day: string): Promise<unknown> =>
    measured(await create(input, day, '12:00:00'), output, (event) => event.utc_start_date);
  const [summer, winter] = [await utcOf(SUMMER), await utcOf(WINTER)];
  expect({ utc_of_2026_08_01_12_00: summer, utc_of_2027_01_10_12_00: winter }).toEqual(output);
});
