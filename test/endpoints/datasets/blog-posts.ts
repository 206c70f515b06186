import type { Dataset } from '../../../src/sdk/types/dataset.js';

/** Blog posts and pages. */
export const DATASET: Dataset = {
  site: { timezone: 'Europe/Berlin' },
  clock: '2026-06-15T12:00:00.000Z',
  users: [{ id: 1, login: 'anna', email: 'anna@example.org', role: 'administrator' }],
  tags: [{ id: 2, slug: 'free', name: 'Free' }],
  post_categories: [
    { id: 3, slug: 'news', name: 'News' },
    { id: 4, slug: 'town', name: 'Town', parent: 'news' },
  ],
  posts: [
    {
      id: 20,
      slug: 'hello',
      title: 'Hello',
      date: '2026-06-01 09:00:00',
      excerpt: 'Short.',
      meta: { source: 'press' },
      content: '<p>Long.</p>',
      comment_status: 'closed',
      sticky: true,
      format: 'quote',
      categories: ['town'],
      tags: ['free'],
    },
    { id: 21, title: 'Draft', status: 'draft', date: '2026-06-02 09:00:00', content: 'Later.' },
    { id: 22, slug: 'planned', title: 'Planned', status: 'future', date: '2026-07-01 09:00:00', password: 'secret' },
  ],
  pages: [
    { id: 30, slug: 'about', title: 'About', date: '2026-06-01 09:00:00', content: 'Us.', menu_order: 2, template: 'wide.php' },
    { id: 31, slug: 'team', title: 'Team', date: '2026-06-01 09:00:00', ping_status: 'closed', parent: 'about' },
  ],
};
