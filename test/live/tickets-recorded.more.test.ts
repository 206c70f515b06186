import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startTestServer } from '../support/server.js';
import { TICKETS_WORLD } from '../support/tickets.js';
import { folder, load, NOW, pullFrom, reads, withoutAttendees, written, type Answers, type Login } from './ticket-copies.js';

/** Copies of the recorded site with tickets. */

const ADMIN: Login = { login: 'admin', password: 'adminAppPassword00000000' };

const world = JSON.parse(readFileSync(TICKETS_WORLD, 'utf8')) as { tickets: { id: number }[] };

/** The recorded site without some tickets. */
function worldWithout(name: string, tickets: readonly number[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify({ ...world, tickets: world.tickets.filter(({ id }) => !tickets.includes(id)) }));
  return file;
}

const [OF_A_PAGE, OF_A_DRAFT, OF_A_PROTECTED_EVENT] = [312, 306, 307];

const target = startTestServer({ plugins: ['event-tickets'], now: NOW });

describe('with tickets of events only', () => {
  const source = startTestServer({ dataset: worldWithout('events.json', [OF_A_PAGE]), now: NOW });

  test('a copy by an administrator shows the same, also from a file', async () => {
    const [toVisitors, toAdmin] = [await reads(source()), await reads(source(), ADMIN)];
    const pulled = await pullFrom(source(), { keepsPeople: true }, ADMIN);
    for (const content of [pulled.source, await written(pulled.source, 'ndjson')]) {
      const administrator = await load(target(), content);
      expect(await reads(target())).toEqual(toVisitors);
      expect(await reads(target(), administrator)).toEqual(toAdmin);
    }
    await pulled.deleteProgress();
  });
});

describe('with tickets of public events only', () => {
  const source = startTestServer({ dataset: worldWithout('public.json', [OF_A_PAGE, OF_A_DRAFT, OF_A_PROTECTED_EVENT]), now: NOW });

  test('a copy by a visitor shows visitors the same, except attendees', async () => {
    const pulled = await pullFrom(source());
    await load(target(), pulled.source);
    await pulled.deleteProgress();
    // A visitor cannot copy all that `wp/v2` shows of protected events.
    const shown = (answers: Answers): Answers =>
      Object.fromEntries(Object.entries(withoutAttendees(answers)).filter(([route]) => !route.startsWith('wp/v2/tribe_events')));
    expect(shown(await reads(target()))).toEqual(shown(await reads(source())));
  });
});

describe('with all tickets', () => {
  const source = startTestServer({ dataset: TICKETS_WORLD, now: NOW });

  test('a copy by a visitor says what is missing', async () => {
    const pulled = await pullFrom(source());
    await pulled.deleteProgress();
    expect(pulled.notes()).toEqual(
      expect.arrayContaining([
        '1 ticket of a password-protected event is not shown, and not copied.',
        '1 ticket of a page is not copied, as the page is not.',
      ]),
    );
  });
});
