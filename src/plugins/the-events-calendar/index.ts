import type { Plugin } from '../plugin.js';
import { CALENDAR_QUIRKS } from './quirks/index.js';
import { CALENDAR, isKnownVersion, RECORDED_VERSIONS } from './quirks/version.js';

export const theEventsCalendar: Plugin = {
  name: CALENDAR,
  title: 'The Events Calendar',
  releases: RECORDED_VERSIONS,
  findRelease: (text) => (isKnownVersion(text) ? text : null),
  isDefault: true,
  requires: [],
  // The documented one, and the plugin's.
  namespaces: ['calendar/events/v1', 'tribe/events/v1'],
  quirks: CALENDAR_QUIRKS,
  loadRegistrations: async () => (await import('./model/registrations.js')).REGISTRATIONS,
  loadResponses: async () => (await import('./responses.js')).RESPONSES,
};
