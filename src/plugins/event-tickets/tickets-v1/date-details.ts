import type { Json } from '../../../wordpress/rest/request.js';

const EMPTY = { year: '', month: '', day: '', hour: '', minutes: '', seconds: '' };
const EPOCH = { year: '1970', month: '01', day: '01', hour: '00', minutes: '00', seconds: '00' };

/** The parts of a time; of none, empty ones, and of an unreadable one, the first second of 1970. */
export function dateDetails(text: string): Record<string, Json> {
  if (text === '') return EMPTY;
  const [, year, month, day, hour = '00', minutes = '00', seconds = '00'] =
    /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?$/.exec(text) ?? [];
  return year === undefined ? EPOCH : { year, month, day, hour, minutes, seconds };
}
