import { understudyPlugin } from 'wp-understudy/cypress/plugin';
import { serve } from './serve.js';

export default {
  e2e: {
    async setupNodeEvents(on, config) {
      const site = { ...config, baseUrl: await serve('site') };
      return understudyPlugin(on, site, { dataset: 'cypress/calendar.json', now: '2026-06-15T12:00:00Z', strict: true });
    },
  },
};
