import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

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
  const env = { ...process.env, CALENDAR_URL: calendarUrl, NEXT_TELEMETRY_DISABLED: '1' };
  const site = spawn(process.execPath, [next, 'start', '--port', String(port), '--hostname', '127.0.0.1'], { env, stdio: 'inherit' });
  const isReady = () =>
    fetch(`${url}/no-such-page`).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) await sleep(100);
  return { url, stop: () => site.kill() };
}
