/**
 * Request parameters of the calendar API, as params.json declares them. The argument tables of the calendar are declared as `ArgsOf` these
 * types (src/plugins/the-events-calendar/calendar-v1/validators.ts), so the compiler reports any difference in names, types and required
 * parameters.
 */
import type { AttendeeFields } from './param-types.js';

export type * from './param-types.js';

/** One value or several. */
export type OneOrMore<T> = T | readonly T[];

/** Fields of an update of an attendee (Event Tickets). */
export type AttendeeChanges = Partial<Omit<AttendeeFields, 'ticket_id'>>;
