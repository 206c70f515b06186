import { transitionsOf, UTC, type Zone } from '../../base/php/timezone.js';
import { wallAt } from '../timezones.js';
import { icsDateTime, icsOffset, icsText, type IcsComponent } from './write.js';

/** How to write the rules of a zone. */
interface ZoneStyle {
  /** Whether the time of a change is written as the local time before it, as the standard requires, or in UTC. TEC: in UTC. */
  changesIn: 'wall' | 'utc';
  /** Whether the initial offset is written, too. TEC: only if there are no changes. */
  statesBeginning: boolean;
}

export const RFC_ZONE_STYLE: ZoneStyle = { changesIn: 'wall', statesBeginning: true };
export const FEED_ZONE_STYLE: ZoneStyle = { changesIn: 'utc', statesBeginning: false };

interface Observance {
  /** Epoch seconds. */
  at: number;
  from: number;
  to: number;
  name: string;
  daylight: boolean;
}

const observance = ({ at, from, to, name, daylight }: Observance, { changesIn }: ZoneStyle): IcsComponent => ({
  name: daylight ? 'DAYLIGHT' : 'STANDARD',
  properties: [
    { name: 'TZOFFSETFROM', value: icsOffset(from) },
    { name: 'TZOFFSETTO', value: icsOffset(to) },
    { name: 'TZNAME', value: icsText(name) },
    { name: 'DTSTART', value: icsDateTime(wallAt(at + (changesIn === 'wall' ? from : 0), UTC)) },
  ],
});

/**
 * The VTIMEZONE of a zone: every change of its clocks between two moments, one by one. Programs continue with the last one.
 * @param tzid name within the calendar
 * @param zone the zone
 * @param from epoch seconds, as `to`
 */
export function vtimezone(tzid: string, zone: Zone, from: number, to: number, style: ZoneStyle): IcsComponent {
  const { beginning, changes } = transitionsOf(zone, from, to);
  const first: Observance = {
    at: from,
    from: beginning.offset,
    to: beginning.offset,
    name: beginning.abbreviation,
    daylight: beginning.daylight,
  };
  const states = style.statesBeginning || changes.length === 0;
  const later = changes.map((change, index): Observance => ({
    at: change.at,
    from: changes[index - 1]?.offset ?? beginning.offset,
    to: change.offset,
    name: change.abbreviation,
    daylight: change.daylight,
  }));
  return {
    name: 'VTIMEZONE',
    properties: [{ name: 'TZID', value: icsText(tzid) }],
    components: [...(states ? [first] : []), ...later].map((one) => observance(one, style)),
  };
}
