import type { PluginResponses } from '../plugin.js';
import { onboarding, tickets } from './tickets-v1/index.js';

/** How the plugin responds to requests. */
export const RESPONSES: PluginResponses = {
  namespaces: () => [tickets(), onboarding()],
};
