import { replayPacked } from './packed.js';

// The random scenarios take as long as all others together. See replay-random.slow.test.ts.
describe.each(['cases-more.json.br', 'cases-wp-more.json.br', 'cases-site.json.br'])('recorded responses of %s', (cases) =>
  replayPacked(cases),
);
