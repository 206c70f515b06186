import { jest } from '@jest/globals';
import { renderPosts } from '../../../../src/plugins/the-events-calendar/calendar-v1/render-posts.js';
import type { View } from '../../../../src/plugins/the-events-calendar/calendar-v1/view.js';
import { readPosts } from '../../../../src/wordpress/posts/posts.js';
import type { Post } from '../../../../src/wordpress/model.js';
import { WORLD } from '../../../support/api.js';
import { startTestServer } from '../../../support/server.js';

const server = startTestServer({ dataset: WORLD });
let id: number;
beforeAll(async () => {
  const { events } = (await (await fetch(`${server().restUrl}/tribe/events/v1/events`)).json()) as { events: { id: number }[] };
  id = events[0].id;
});
afterEach(() => jest.restoreAllMocks());

const write = async (title: string): Promise<void> => {
  await server().site.store.changePost(id, (post) => ({ ...post, title }));
};

/** The title as it is shown. @param given the posts, if they are loaded */
async function shownTitle(given: Post[] | null = null): Promise<string> {
  const { site } = server();
  const view = { site, namespace: 'tribe/events/v1', user: null, password: null, editing: false, single: false };
  const shown = await renderPosts([id], 'title', ({ title }) => ({ title }), view, given);
  return (JSON.parse(JSON.stringify(shown)) as { title: string }[])[0].title;
}

test('what was loaded before a write is not cached', async () => {
  await write('Old');
  const loaded = await readPosts(server().site.store, [id]);
  await write('New');
  expect([await shownTitle(loaded), await shownTitle()]).toEqual(['Old', 'New']);
});

test('what was loaded during a write is not cached', async () => {
  await write('Old');
  const { store } = server().site;
  const load = store.loadPosts.bind(store);
  jest.spyOn(store, 'loadPosts').mockImplementationOnce(async (ids) => {
    const loaded = await load(ids);
    await write('New');
    return loaded;
  });
  expect([await shownTitle(), await shownTitle()]).toEqual(['Old', 'New']);
});

test('what is loaded and not written is cached', async () => {
  await write('Same');
  await shownTitle();
  const load = jest.spyOn(server().site.store, 'loadPosts');
  expect([await shownTitle(), load.mock.calls]).toEqual(['Same', []]);
});

test('what several posts have in common is made once', async () => {
  const { site } = server();
  const view = { site, namespace: 'tribe/events/v1', user: null, password: null, editing: false, single: false };
  const found = await site.store.posts.find({ type: 'tribe_events', status: 'publish' }).toArray();
  const make = jest.fn(() => ({ shared: true }));
  const show = (post: Post, { fragment, cachedFragment }: View): object => ({
    id: post._id,
    part: fragment?.('posts', id, 'a part', make),
    isKnown: cachedFragment?.('posts', id, 'a part') !== undefined,
  });
  const ids = found.map(({ _id }) => _id);
  const shown = JSON.parse(JSON.stringify(await renderPosts(ids, 'with a part', show, view))) as object[];
  expect(shown).toEqual(ids.map((each) => ({ id: each, part: { shared: true }, isKnown: true })));
  expect(make).toHaveBeenCalledTimes(1);
});
