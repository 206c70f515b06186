import { useUnderstudy } from 'wp-understudy/jest';
import { whatsOn } from '../whats-on.js';

const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });

for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`shows a new event, and no one else's (${number})`, async () => {
    const title = `Concert ${number}`;
    await understudy.admin.events.create({ title, start_date: '2026-06-15 20:00:00', end_date: '2026-06-15 22:00:00' });
    const lines = await whatsOn(understudy.restUrl);
    expect(lines.length).toEqual(4);
    expect(lines[0]).toEqual(`2026-06-15 20:00 ${title}`);
  });
}
