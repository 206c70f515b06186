import { startWorld } from '../../support/api.js';
import { examples, measured } from './examples.js';

const api = startWorld();

test.each(examples<string, string | null>('organizer-email'))('email %s', async (name, { input, output }) => {
  const answer = await api.post<{ email?: string }>('organizers', { organizer: `Zed ${name}`, email: input });
  expect(measured(answer, output, ({ email = null }) => email)).toEqual(output);
});
