import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { createServer } from 'wp-understudy';
import { useUnderstudy } from 'wp-understudy/node';
import { startSite } from '../site.js';

// One calendar for the site, whose URL the site knows when it starts.
const calendar = await createServer({ port: 0, ephemeral: true });
let site;
before(async () => {
  site = await startSite(calendar.url);
});
after(async () => {
  site.stop();
  await calendar.close();
});

describe('the page', () => {
  const understudy = useUnderstudy({ url: calendar.url, dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });

  const visit = async () => {
    const response = await fetch(site.url, { headers: understudy.headers });
    return { status: response.status, text: await response.text() };
  };
  const titles = async () => [...(await visit()).text.matchAll(/<li>(.*?)<\/li>/g)].map(([, title]) => title);

  test('shows the calendar of the test', async () => {
    assert.deepEqual(await titles(), ['Open Stage', 'Morning Yoga']);
    await understudy.clock.advance('36 hours');
    assert.deepEqual(await titles(), ['Morning Yoga']);
  });

  test('is sent before the calendar fails, so that only its text says so', async () => {
    await understudy.faults.profile('maintenance');
    const { status, text } = await visit();
    assert.equal(status, 200);
    assert.match(text, /Please come back soon/);
  });
});

/** Runs tests of a page that does not pass the sandbox on. */
async function runForgetful(reads) {
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
  const env = { ...rest, CALENDAR_URL: calendar.url, SITE_URL: site.url, READS: reads };
  const child = spawn(process.execPath, ['--test', 'test/forgetful.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  return { status, output };
}

test('a page that forgets the sandbox fails its test', async () => {
  const { status, output } = await runForgetful('yes');
  assert.equal(status, 1);
  assert.match(output, /StrayError/);
});

test('also if the test does not read the page to its end', async () => {
  const { status, output } = await runForgetful('no');
  assert.equal(status, 1);
  assert.match(output, /StrayError/);
});
