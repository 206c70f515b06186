import { isEmpty, intval, toStr } from '../../../base/php/cast.js';
import { PAGE } from '../../../wordpress/model.js';
import { withDefaults } from '../../../wordpress/options.js';
import type { Store } from '../../../wordpress/store.js';
import { EVENT } from '../../the-events-calendar/model/index.js';
import { CALENDAR_OPTION } from '../../the-events-calendar/model/options.js';

/** The plugin's settings are part of the site's. */
declare module '../../../wordpress/options.js' {
  interface OptionsOfPlugins {
    tickets: TicketOptions;
  }
}

interface TicketOptions {
  /** Whether pages say that there is no API of tickets. */
  isApiHidden: boolean;
  /** The key of the app that checks attendees in; empty: none is accepted. */
  appKey: string;
  /** The post types that may have tickets. */
  types: readonly string[];
  /** How many minutes before and after an event the app checks attendees in; null: at any time. */
  minutesAround: number | null;
}

/** The post types that may have tickets on a new site. */
export const USUAL_TYPES: readonly string[] = [EVENT, PAGE];

/** Defaults by stored name, in the row of the calendar. */
const DEFAULTS: Record<string, unknown> = {
  'et-rest-v1-disabled': false,
  'tickets-plus-qr-options-api-key': '',
  'ticket-enabled-post-types': USUAL_TYPES,
  'tickets-plus-qr-check-in-events-happening-now': false,
  'tickets-plus-qr-check-in-events-happening-now-time-buffer': 0,
};

export function readTicketOptions(stored: Readonly<Record<string, unknown>>): TicketOptions {
  const [isHidden, key, types, isTimed, minutes] = Object.values(withDefaults(DEFAULTS, stored[CALENDAR_OPTION] ?? {}));
  return {
    isApiHidden: !isEmpty(isHidden),
    appKey: toStr(key),
    types: (typeof types === 'object' ? Object.values(types as object) : [types]).map(toStr),
    minutesAround: isEmpty(isTimed) ? null : Math.max(0, intval(minutes)),
  };
}

/** The post types that may have tickets. */
export const ticketedTypes = (store: Store): Promise<readonly string[]> =>
  store.cache.remember(
    'types with tickets',
    async () => readTicketOptions(Object.fromEntries((await store.allOptions()).map(({ _id, value }) => [_id, value]))).types,
    'options',
  );
