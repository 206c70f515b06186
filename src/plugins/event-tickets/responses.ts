import type { PluginResponses } from '../plugin.js';
import { TICKET_PAGES } from './pages.js';
import { ticketsInTec } from './tec-v1/index.js';
import { onboarding, tickets } from './tickets-v1/index.js';

export const RESPONSES: PluginResponses = {
  namespaces: (_names, registry) => [tickets(), onboarding(), ticketsInTec(registry)],
  pages: TICKET_PAGES,
};
