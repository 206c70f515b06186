import { startWorld, type Login } from '../../support/api.js';
import { examples, measured, pick } from './examples.js';

interface Venue extends Record<string, unknown> {
  id: number;
}

const api = startWorld();

let created = 0;

/** Creates a venue with a unique name. A venue with an existing name would be reused. */
const create = (fields: Record<string, unknown>, as?: Login): ReturnType<typeof api.post<Venue>> =>
  api.post('venues', { venue: `Zed ${++created}`, ...fields }, as);

test.each(examples<unknown, boolean>('boolean-venue-show-map'))('show_map %s', async (_name, { input, output }) => {
  const answer = await create({ show_map: input });
  expect(measured(answer, output, ({ show_map }) => show_map)).toEqual(output);
});

test.each(examples<string, string | null>('websites-venue'))('website %s', async (_name, { input, output }) => {
  const answer = await create({ website: input });
  expect(measured(answer, output, ({ website = null }) => website)).toEqual(output);
});

test.each(examples<string, string | null>('venue-text-fields'))('address %s', async (_name, { input, output, as }) => {
  const answer = await create({ address: input }, as);
  expect(measured(answer, output, ({ address = null }) => address)).toEqual(output);
});

const FIELDS = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'];

interface Placed {
  fields: Record<string, string>;
  json_ld: Record<string, unknown>;
}

test.each(examples<Record<string, string>, Placed>('venue-json-ld'))('json_ld of %s', async (_name, { input, output }) => {
  const { id } = (await create(input)).body;
  const { body } = await api.get<Venue & { json_ld: Record<string, unknown> }>(`venues/${id}`);
  const { '@type': type, name, ...json_ld } = body.json_ld;
  expect({ type, name }).toEqual({ type: 'Place', name: body['venue'] });
  expect({ fields: pick(body, FIELDS), json_ld }).toEqual(output);
});
