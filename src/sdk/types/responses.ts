/** Response bodies of the calendar API, as responses.json declares them. */
export type * from './response-types.js';
