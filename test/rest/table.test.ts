import { siteRoutes } from '../../src/server/app/routes.js';
import { findRoute } from '../../src/wordpress/rest/table.js';
import { registry } from '../support/registry.js';

// WP: a route is a regular expression, so a dot in it matches any character.
const PATHS = [
  '/',
  '/oembed/1.0/embed',
  '/oembed/1x0/embed',
  '/OEMBED/1.0/Embed',
  '/Tribe/Events/V1/events/12',
  '/tribe/events/v1/events/by-slug/a',
  '/tribe/events/v1/events\n',
  '/wp/v2/posts//',
  '/wp/v2/types/post',
  '/batch/v1',
  '/tribe/events/v11/events',
  '/nowhere',
];

test.each(PATHS)('the first route whose pattern fits is found: %j', async (path) => {
  const table = (await siteRoutes(['tribe/events/v1'])).tableOf(registry);
  const wanted = path.replace(/(?<!\/)\/+$/, '') || '/';
  const first = table.find(({ pattern }) => pattern.test(wanted));
  expect(findRoute(table, path)?.mounted.route.path).toBe(first?.route.path);
});
