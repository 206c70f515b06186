import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { useUnderstudy } from 'wp-understudy/node';
import { EDITOR, startSite } from '../site.js';

describe('previews', () => {
  const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });
  let site;
  before(async () => {
    site = await startSite(understudy.url);
  });
  after(() => site.stop());

  const write = async (path, body) => {
    const headers = { authorization: `Basic ${btoa(EDITOR)}`, 'content-type': 'application/json' };
    const response = await fetch(`${understudy.url}/wp-json/wp/v2/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };

  /** The page of an event, with the cookie of the draft mode or without. */
  const page = async (id, cookie = '') => {
    const response = await fetch(`${site.url}/events/${id}`, { headers: { cookie } });
    return { status: response.status, title: /<h1>(.*?)<\/h1>/.exec(await response.text())?.[1] };
  };

  /** Follows a link to a preview, as the editor's browser does. @returns the cookie of the draft mode */
  const open = async (link, secret = site.previewSecret) => {
    const query = new URL(link).searchParams;
    query.set('secret', secret);
    const response = await fetch(`${site.url}/api/preview?${query}`, { redirect: 'manual' });
    const [cookie = ''] = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { status: response.status, cookie, location: response.headers.get('location') };
  };

  test('a draft is shown to those who follow the link', async () => {
    const draft = await write('tribe_events', { title: 'Not yet', status: 'draft' });
    const { cookie, location } = await open(`${understudy.url}/?p=${draft.id}&preview=true`);
    assert.equal(location, `/events/${draft.id}`);
    assert.equal((await page(draft.id)).status, 404);
    assert.deepEqual(await page(draft.id, cookie), { status: 200, title: 'Not yet' });
  });

  test('what is typed and not saved is shown to them only', async () => {
    const event = await write('tribe_events', { title: 'As announced', status: 'publish' });
    const { preview_link: link } = await write(`tribe_events/${event.id}/autosaves`, { title: 'As it will be' });
    const { cookie } = await open(link);
    assert.equal((await page(event.id)).title, 'As announced');
    assert.equal((await page(event.id, cookie)).title, 'As it will be');
  });

  test('a wrong secret opens nothing', async () => {
    const { status, cookie } = await open(`${understudy.url}/?p=1&preview=true`, 'wrong');
    assert.deepEqual([status, cookie], [403, '']);
  });
});
