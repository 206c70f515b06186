import type { PluginResponses } from '../plugin.js';
import { calendar } from './calendar-v1/index.js';
import { calendarViews, eventAggregator, onboarding } from './declared/calendar.js';
import { oembed } from './feeds/oembed.js';
import { servePages } from './pages/index.js';
import { tecV1 } from './tec-v1/index.js';

/** How the plugin responds to requests. */
export const RESPONSES: PluginResponses = {
  // `oembed` is WordPress's, but finds posts by the URLs of the plugin's pages.
  namespaces: (names, registry) => [oembed(), eventAggregator(), ...names.map(calendar), calendarViews(), onboarding(), tecV1(registry)],
  pages: servePages,
};
