import { newestZones } from '../../base/php/zone-data.js';
import { isTimezoneOrEmpty } from '../../wordpress/timezones.js';
import { zoneMeant } from './field-suggestions.js';
import { textRule } from './schema.js';

const notZone = ({ value }: { value: unknown }): string => {
  const meant = zoneMeant(String(value), newestZones().names());
  return `unknown time zone ${JSON.stringify(value)}. ${meant === undefined ? 'Write one such as "Europe/Berlin" or "UTC+5.5"' : `Did you mean ${JSON.stringify(meant)}?`}`;
};

/** The name of a time zone, or an offset. */
export const zone = () =>
  textRule()
    .test('zone', notZone, (value) => isTimezoneOrEmpty(newestZones(), value ?? ''))
    .meta({ description: 'Such as "Europe/Berlin" or "UTC+5.5".', jsonSchema: { allOf: [{ $ref: '#/$defs/zone' }] } });
