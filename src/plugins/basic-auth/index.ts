import { companion } from '../plugin.js';

const QUIRKS = {
  'basic-auth-fails-with-500': {
    kind: 'interface',
    off: 'A wrong password in a Basic header is 401.',
    on: 'A wrong password in a Basic header results in a 500 on every route, without a status in the body, instead of a 401.',
  },
} as const;

declare module '../../wordpress/quirks.js' {
  interface QuirkNames extends Record<keyof typeof QUIRKS, true> {}
}

/** Signs callers in by the password of their account in a Basic header. */
export const basicAuth = companion('0.1', {
  name: 'basic-auth',
  title: 'JSON Basic Authentication',
  quirks: QUIRKS,
  loadRegistrations: async () => (await import('./registrations.js')).REGISTRATIONS,
});
