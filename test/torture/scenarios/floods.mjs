// More concurrent requests than the server can process at once.
import net from 'node:net';
import { once } from 'node:events';
import { clientOf } from '../common/client.mjs';
import { Ledger } from '../common/ledger.mjs';
import { readSite, writeDataset } from '../common/site.mjs';
import { measure, startServer } from '../common/understudy.mjs';

/** Maximum growth of memory from the second flood to the last, in MB. The caches are filled before. */
const GROWTH_MB = 120;

const REQUESTS = [
  (rest, random) => [`${rest}/events?per_page=${1 + random.below(50)}&page=${1 + random.below(3)}&start_date=2000-01-01`],
  (rest, random) => [`${rest}/events?search=generation+${random.below(1e6)}`],
  (rest, random) => [`${rest}/events/${random.below(200)}`],
  (rest) => [`${rest}/venues`],
  (rest, random) => [`${rest}/events?start_date=${random.below(1e6)}`],
  (rest) => [`${rest}/events`, 'POST', '{"title":', { 'content-type': 'application/json' }],
  (rest) => [rest.replace('/wp-json/tribe/events/v1', '/events/')],
  (rest) => [rest.replace('/wp-json/tribe/events/v1', '/__qa/journal?limit=50')],
];

/** Pipelines many requests over one connection. @returns number of responses */
async function pipeline(url, count) {
  const { hostname, port, host } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = (more = '') => `GET /wp-json/tribe/events/v1/venues HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
  socket.write(head().repeat(count - 1) + head('Connection: close\r\n'));
  let text = '';
  for await (const chunk of socket) text += chunk.toString('latin1');
  return text.split('HTTP/1.1 200').length - 1;
}

/** @type {import('./index.mjs').Scenario} */
export const floods = {
  name: 'floods',
  title: 'Hundreds of requests arrive at once: reads, writes, invalid and pipelined requests',
  rounds: { short: 1, full: 20 },
  async run({ tally, randomFor, folder, rounds, isShort, progress }) {
    const dataset = writeDataset(folder, 'a');
    const data = `${folder}/data`;
    const server = await startServer({ data, args: ['--dataset', dataset] });
    const { send, close } = clientOf(tally, { sockets: 300, deadline: 90_000 });
    const [size, piped] = isShort ? [150, 100] : [1_500, 1_000];
    try {
      const known = (await readSite(send, server.url, data)).items;
      const ledger = new Ledger();
      const memory = [];
      const create = async (title) => {
        const entry = ledger.write(title, 'version 1');
        const fields = { title, description: 'Version 1', excerpt: 'Short 1', venue: { venue: 'Venue 1' } };
        const dates = { start_date: '2026-07-02 10:01:00', end_date: '2026-07-02 12:01:00' };
        const response = await send(`${server.rest}/events`, 'POST', { ...fields, ...dates });
        if (response?.status === 201) {
          entry.acknowledge();
          tally.acknowledged += 1;
        } else if (response && response.status < 500) entry.reject();
      };
      for (let round = 0; round < rounds; round += 1) {
        const random = randomFor(round);
        const requests = Array.from({ length: size }, (_, n) => {
          if (n % 30 === 0) return create(`flood ${round}-${n}`);
          const [url, method, body, headers] = random.pick(REQUESTS)(server.rest, random);
          return send(url, method, body && Buffer.from(body), headers);
        });
        const answered = await pipeline(server.url, piped);
        tally.check(answered === piped, `round ${round}: ${answered} of ${piped} pipelined requests got a response`);
        await Promise.all(requests);
        memory.push(measure(server.pid).memory);
        progress(round + 1);
      }
      const growth = memory.at(-1) - (memory[1] ?? memory[0]);
      tally.check(growth < GROWTH_MB, `the memory of the server grew by ${Math.round(growth)} MB`);
      tally.note(`Memory of the server: ${memory.map(Math.round).join(', ')} MB after each flood.`);
      const site = await readSite(send, server.url, data);
      tally.compare(site, ledger.judge(site.items, known));
      await server.stop();
    } finally {
      close();
      server.signal('SIGKILL');
    }
  },
};
