import type { PluginResponses } from '../plugin.js';
import { calendar } from './calendar-v1/index.js';
import { eventAggregator, onboarding } from './declared/calendar.js';
import { CALENDAR_PAGES } from './pages/index.js';
import { calendarViews } from './pages/views-route.js';
import { tecV1 } from './tec-v1/index.js';

/** How the plugin responds to requests. */
export const RESPONSES: PluginResponses = {
  namespaces: (names, registry) => [
    eventAggregator(),
    ...names.map((name) => calendar(name, registry)),
    calendarViews([CALENDAR_PAGES]),
    onboarding(),
    tecV1(registry),
  ],
  pages: CALENDAR_PAGES,
};
