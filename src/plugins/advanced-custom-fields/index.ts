import { companion } from '../plugin.js';

const QUIRKS = {
  'acf-shows-hidden-objects': {
    kind: 'hole',
    off: '`acf_format=standard` shows posts that the caller may read, and no email addresses to visitors.',
    on: '`acf_format=standard` shows everyone the content of posts in any status, and the email addresses of users.',
  },
} as const;

declare module '../../wordpress/quirks.js' {
  interface QuirkNames extends Record<keyof typeof QUIRKS, true> {}
}

/** Adds typed fields to the objects of `wp/v2`, by the field groups of a site. */
export const advancedCustomFields = companion('6.8.0', {
  name: 'advanced-custom-fields',
  title: 'Advanced Custom Fields',
  quirks: QUIRKS,
  declares: 'acf_field_groups',
  loadRegistrations: async () => (await import('./registrations.js')).REGISTRATIONS,
});
