// The program with the URL of the real site, as in Storybook: each story has its clock and faults, in a sandbox of this tab.
import { setupWorker } from 'msw/browser';
import { connect, handlers } from 'wp-understudy/msw';
import { showEvents } from './whats-on.js';

const SITE = 'https://www.old-mill.example';

const calendar = connect({ url: SITE, sandbox: true });
await setupWorker(...handlers(calendar)).start({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass', quiet: true });

const stories = {
  upcoming: () => undefined,
  later: () => calendar.clock.advance('2 days'),
  maintenance: () => calendar.faults.profile('maintenance'),
};

await calendar.reset();
await stories[location.hash.slice(1)]();
await showEvents(document.getElementById('events'), SITE);
