import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SECRET = 'only for tests';

/** The editor of the dataset, with the application password. */
export const EDITOR = 'erika:erika erika erika erika';

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the built site with a calendar. */
export async function startSite(calendarUrl) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const next = path.resolve('node_modules/next/dist/bin/next');
  const env = {
    ...process.env,
    CALENDAR_URL: calendarUrl,
    REVALIDATE_SECRET: SECRET,
    PREVIEW_SECRET: SECRET,
    CALENDAR_LOGIN: EDITOR,
    NEXT_TELEMETRY_DISABLED: '1',
  };
  const site = spawn(process.execPath, [next, 'start', '--port', String(port), '--hostname', '127.0.0.1'], { env, stdio: 'inherit' });
  const isReady = () =>
    fetch(`${url}/api/revalidate`).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) await sleep(100);
  return {
    url,
    previewSecret: SECRET,
    /** The titles on the page. */
    titles: async () => [...(await (await fetch(url)).text()).matchAll(/<li>(.*?)<\/li>/g)].map(([, title]) => title),
    /** The pictures on the page, as Next.js makes them. */
    pictures: async () => {
      const sources = [...(await (await fetch(url)).text()).matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, source]) => source);
      return Promise.all(sources.map((source) => fetch(new URL(source.replaceAll('&amp;', '&'), url))));
    },
    status: async () => (await fetch(url)).status,
    revalidate: () => fetch(`${url}/api/revalidate`, { method: 'POST', headers: { 'X-Secret': SECRET } }),
    stop: () => site.kill(),
  };
}
