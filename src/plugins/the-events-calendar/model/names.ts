/** Names of the plugin's post types. */
export const EVENT = 'tribe_events';
export const VENUE = 'tribe_venue';
export const ORGANIZER = 'tribe_organizer';
export const CALENDAR_EMBED = 'tec_calendar_embed';

/** The plugin's taxonomy. Tags are the site-wide ones, shared with blog posts (TEC). */
export const EVENT_CATEGORY = 'tribe_events_cat';

/** The namespaces whose items have fields: the calendar under its main name, and its newer interface. */
export const CALENDAR_V1 = 'tribe/events/v1';
export const TEC_V1 = 'tec/v1';
