import dayjs from 'dayjs';
import plugin from 'dayjs/plugin/utc.js';

dayjs.extend(plugin);

/** Plain dates and moments in UTC, where no rule of PHP has a say. Text needs a `Z` at its end, else the years before 100 are 19xx. */
export const { utc } = dayjs;
