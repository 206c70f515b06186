import dayjs from 'dayjs';
import plugin from 'dayjs/plugin/utc.js';

dayjs.extend(plugin);

/** Dates in UTC, where PHP's rules do not apply. Strings need a `Z` at the end, otherwise years below 100 become 19xx. */
export const { utc } = dayjs;
