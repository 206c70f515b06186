import { type Component, DAY, EventProblem, readMoment } from './components.js';
import { datesOfRule, type RuleSteps } from './expand.js';
import { parseRule } from './rule.js';

/** Seconds east of UTC at an instant. */
export type OffsetAt = (utc: number) => number;

/** The instants of a local time, in order: two of one that occurs twice, none of one that is left out when clocks are set forward. */
export function instantsOf(wall: number, offsetAt: OffsetAt): number[] {
  const offsets = new Set([offsetAt(wall - DAY), offsetAt(wall + DAY)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((utc) => offsetAt(utc) === wall - utc)
    .sort((a, b) => a - b);
}

/**
 * The instant of a local time. RFC 5545, 3.3.5: of a time that occurs twice, the first one; a time that is left out has the offset before.
 * @param wall local time in seconds since 1970
 */
export const instantOf = (wall: number, offsetAt: OffsetAt): number => instantsOf(wall, offsetAt)[0] ?? wall - offsetAt(wall - DAY);

/** A change of the clocks of a zone that a file describes. */
interface Onset {
  utc: number;
  /** Offsets before and after. */
  from: number;
  to: number;
}

/** Rules of zones are continued until 2200. */
const END = Date.UTC(2200, 0) / 1000;

const OFFSET = /^([+-])(\d\d)(\d\d)(\d\d)?$/;

/** Seconds east of UTC. @throws EventProblem */
function readOffset(text: string): number {
  const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(text) ?? [];
  if (sign === undefined) throw new EventProblem(`invalid offset "${text}". Use a form such as +0100`);
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

/** The changes that a STANDARD or DAYLIGHT component describes. */
function onsetsOf(observance: Component, steps: RuleSteps): Onset[] {
  const to = readOffset(observance.value('TZOFFSETTO'));
  const from = observance.has('TZOFFSETFROM') ? readOffset(observance.value('TZOFFSETFROM')) : to;
  const start = readMoment(observance.value('DTSTART')).seconds;
  const walls = new Set([start]);
  for (const { value } of observance.all('RDATE'))
    for (const each of value.split(',')) walls.add(readMoment(each.split('/')[0].trim()).seconds);
  for (const { value } of observance.all('RRULE')) {
    const rule = parseRule(value);
    const until = rule.until && rule.until.seconds + (rule.until.isUtc ? from : 0);
    for (const wall of datesOfRule(rule, start, { from: start, to: END, until }, steps.begin(rule))) walls.add(wall);
  }
  return [...walls].map((wall) => ({ utc: wall - from, from, to }));
}

/** RFC 5545, 3.6.5: a zone that a file describes (VTIMEZONE). */
export class DescribedZone {
  private constructor(
    readonly component: Component,
    private readonly onsets: readonly Onset[],
  ) {}

  /** @throws EventProblem for one that cannot be read */
  static of(component: Component, steps: RuleSteps): DescribedZone {
    const observances = component.components.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT');
    const onsets = observances.flatMap((each) => onsetsOf(each, steps)).sort((a, b) => a.utc - b.utc);
    if (onsets.length === 0) throw new EventProblem('there is neither STANDARD nor DAYLIGHT');
    return new DescribedZone(component, onsets);
  }

  /** The instant at which the description begins. */
  get begins(): number {
    return this.onsets[0].utc;
  }

  readonly offsetAt: OffsetAt = (utc) => {
    const { onsets } = this;
    let [low, high] = [0, onsets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (onsets[middle].utc <= utc) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? onsets[0].from : onsets[low - 1].to;
  };
}
