import { readFile } from 'node:fs/promises';
import ICAL from 'ical.js';
import { newestZones } from '../../../base/php/zone-data.js';
import { parseDate } from '../../../base/php/strtotime.js';
import { Clock } from '../../../wordpress/clock.js';
import { wallAt, zoneOf } from '../../../wordpress/timezones.js';
import { DocumentBuilder } from '../../documents.js';
import { Omissions } from '../../writing.js';
import type { Open, ReadOptions } from '../format.js';
import {
  EventProblem,
  eventItems,
  hasImage,
  eventDuration,
  timeOf,
  timesFrom,
  zoned,
  type EventDuration,
  type ZonedTime,
} from './event.js';
import { headValue, readBlocks, type IcsBlock } from './lines.js';
import { seriesOf, type Window } from './recur.js';
import { countRules, RuleSteps, STEP_LIMITS, TooMuch, type StepLimits } from './steps.js';
import { CalendarZones, inZone, isUtc, wallOf, zoneNamed, type IcalComponent } from './zones.js';
import { DatasetError, Problems } from '../../problems.js';
import type { SourceItem, SourcePlace } from '../../source.js';
import { messageOf } from '../../../base/values/errors.js';

type ReportProblem = (problem: string, at?: SourcePlace) => void;

/** A VEVENT. */
interface Component {
  event: IcalComponent;
  uid: string;
  at: SourcePlace;
}

const MAX_EVENTS = 1_000;

/** Limits of a file, since a short line makes many events. */
interface IcsLimits {
  /** Maximum number of events that all series make. */
  events: number;
  steps: StepLimits;
}

const LIMITS: IcsLimits = { events: 100_000, steps: STEP_LIMITS };
const DAY = 86_400;

/** The period to read: set by the user, or from one year ago to two years ahead. */
interface WindowSettings extends Window {
  /** Whether it also limits events that do not recur. */
  limitsSingleEvents: boolean;
}

/** @throws DatasetError for invalid settings */
function windowOf({ settings = {}, now, zone = 'UTC', zones = newestZones() }: ReadOptions): WindowSettings {
  const problems = new Problems();
  const seconds = new Clock(now).seconds();
  const site = zoneOf(zones, zone);
  const day = (name: 'from' | 'to', fallback: string): string => {
    const text = settings[name];
    if (text === undefined) return fallback;
    const date = parseDate(text, { now: seconds, zones, zone: site.name });
    if (!date) problems.add(`--${name}`, `invalid date "${text}". Use a date such as 2026-08-01`);
    return date ? wallAt(date.epoch, site).slice(0, 10) : fallback;
  };
  const present = wallAt(seconds, site);
  const year = (shift: number): string => `${Number(present.slice(0, 4)) + shift}${present.slice(4, 10)}`;
  const [from, to] = [day('from', year(-1)), day('to', year(2))];
  const most = Number(settings['max'] ?? MAX_EVENTS);
  if (!Number.isInteger(most) || most < 1) problems.add('--max', `"${settings['max']}" is not a positive integer`);
  if (to < from) problems.add('--to', `${to} is before ${from}`);
  problems.throwIfAny('iCalendar');
  return {
    from: `${from} 00:00:00`,
    to: `${to} 23:59:59`,
    most,
    limitsSingleEvents: settings['from'] !== undefined || settings['to'] !== undefined,
  };
}

const sequenceOf = (event: IcalComponent): number => Number(event.getFirstPropertyValue('sequence') ?? 0) || 0;

/** Converts a calendar file to items. */
class CalendarReader {
  private readonly documents: DocumentBuilder;
  private readonly zones: CalendarZones;
  private readonly notes = new Omissions();
  private readonly steps: RuleSteps;
  private eventsOfSeries = 0;
  /** Whether the file asks for too much to be read to its end. */
  private isTooMuch = false;

  constructor(
    private readonly name: string,
    options: ReadOptions,
    private readonly window: WindowSettings,
    private readonly problems: ReportProblem,
    private readonly notify: (line: string) => void,
    private readonly limits: IcsLimits,
  ) {
    this.steps = new RuleSteps(limits.steps);
    const { zone = 'UTC', zones: data = newestZones() } = options;
    this.documents = new DocumentBuilder(options.now, zone, data);
    this.zones = new CalendarZones(zone, data, notify);
  }

  *items(text: string): Iterable<SourceItem> {
    const { head, blocks } = readBlocks(text, (problem, at) => this.problems(problem, { file: this.name, ...at }));
    const calendarZone = headValue(head, 'X-WR-TIMEZONE');
    this.zones.calendar = calendarZone === undefined ? undefined : zoneNamed(calendarZone, this.zones.data);
    const parsed = blocks.map((block) => ({ block, component: this.parse(block) }));
    for (const { block, component } of parsed) if (block.name === 'VTIMEZONE' && component) this.zones.describe(component);
    for (const { block } of parsed)
      if (!['VTIMEZONE', 'VEVENT'].includes(block.name)) this.notes.add(`${block.name}: only events are imported`);
    const events = parsed.flatMap(({ block, component }): Component[] => {
      if (block.name !== 'VEVENT' || !component) return [];
      const uid = String(component.getFirstPropertyValue('uid') ?? '');
      const summary = String(component.getFirstPropertyValue('summary') ?? '');
      return [
        {
          event: component,
          uid,
          at: { file: this.name, line: block.line, path: summary === '' ? 'VEVENT' : `VEVENT "${summary.slice(0, 60)}"` },
        },
      ];
    });
    yield* this.series(events);
    this.notes.report('iCalendar', this.notify);
  }

  private parse({ name, lines, line }: IcsBlock): IcalComponent | null {
    try {
      const component = new ICAL.Component(ICAL.parse([`BEGIN:${name}`, ...lines, `END:${name}`].join('\r\n')) as unknown[]);
      countRules(component, this.steps);
      return component;
    } catch (error) {
      this.problems(`${name} cannot be read: ${messageOf(error)}`, { file: this.name, line });
      return null;
    }
  }

  /** Assigns changes of single dates (RECURRENCE-ID) to their series. */
  private *series(events: readonly Component[]): Iterable<SourceItem> {
    const changes = new Map<string, Component[]>();
    const masters = new Map<string, Component>();
    events.forEach((component, index) => {
      const { event, uid } = component;
      if (event.hasProperty('recurrence-id')) {
        const others = changes.get(uid);
        if (others) others.push(component);
        else changes.set(uid, [component]);
        return;
      }
      const key = uid === '' ? `#${index}` : uid;
      const other = masters.get(key);
      if (other) this.notes.add('earlier version of an event with the same UID');
      if (!other || sequenceOf(event) >= sequenceOf(other.event)) masters.set(key, component);
    });
    for (const master of masters.values()) yield* this.guarded(master, () => this.event(master, changes.get(master.uid) ?? []));
    for (const [uid, orphans] of changes)
      if (!masters.has(uid)) for (const orphan of orphans) yield* this.guarded(orphan, () => this.once(orphan));
  }

  /** Reports the problem of one event and continues with the others. */
  private guarded({ at }: Component, read: () => SourceItem[]): SourceItem[] {
    if (this.isTooMuch) return [];
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.isTooMuch ||= error instanceof TooMuch;
      this.problems(error instanceof EventProblem ? error.message : `cannot be read: ${error.message}`, at);
      return [];
    }
  }

  private startOf({ event }: Component): { start: ZonedTime; span: EventDuration } {
    const start = timeOf(event, 'dtstart', this.zones);
    if (!start) throw new EventProblem('DTSTART is missing');
    return { start, span: eventDuration(event, start, this.zones) };
  }

  private event(master: Component, changes: readonly Component[]): SourceItem[] {
    const { event } = master;
    const repeats = event.hasProperty('rrule') || event.hasProperty('rdate');
    return repeats ? this.repeated(master, changes) : [...this.once(master), ...changes.flatMap((change) => this.once(change))];
  }

  private once(component: Component): SourceItem[] {
    const { start, span } = this.startOf(component);
    const times = timesFrom(start.wall, start, span, this.zones.data);
    if (this.window.limitsSingleEvents && (times.start > this.window.to || times.end < this.window.from)) {
      this.notes.add('event outside the period');
      return [];
    }
    return this.itemsOf(component, times);
  }

  private itemsOf(component: Component, times: ReturnType<typeof timesFrom>, slug?: string): SourceItem[] {
    if (hasImage(component.event)) this.notes.add('image of an event (ATTACH): images are not fetched');
    return eventItems(component.event, times, this.documents, component.at, slug);
  }

  private repeated(master: Component, changes: readonly Component[]): SourceItem[] {
    const { start, span } = this.startOf(master);
    const { timezone, time } = start;
    const { data } = this.zones;
    // A series recurs in the time zone of its DTSTART, even if it is converted to another.
    const [home, first] = isUtc(time) ? ['UTC', wallOf(time)] : [timezone, start.wall];
    const toWall = (date: typeof time, tzid: string | undefined): string => {
      if (date.isDate || time.isDate) return `${wallOf(date).slice(0, 10)} ${time.isDate ? '00:00:00' : first.slice(11)}`;
      const given = zoned(date, tzid, this.zones, 'RDATE or EXDATE');
      return inZone(given.wall, given.timezone, home, data);
    };
    const lasts = span.days * DAY + span.seconds;
    const { starts, cut } = seriesOf(
      master.event,
      { wall: first, isDate: time.isDate, timezone: home, zones: data },
      this.window,
      lasts,
      toWall,
    );
    if (cut)
      this.notify(
        `${master.at.path} (line ${master.at.line}) has more than ${this.window.most} events in the period: only the first ${this.window.most} are imported. Raise the limit with --max, or set the period with --from and --to`,
      );
    this.eventsOfSeries += starts.length;
    if (this.eventsOfSeries > this.limits.events)
      throw new TooMuch(
        `the series up to here make more than ${this.limits.events} events in the period, so the further ones were not read. Set a shorter period with --from and --to, a lower --max, or split the file`,
      );
    const changed = new Map(changes.map((change) => [this.recurrenceOf(change, toWall), change]));
    const kept = starts.filter((wall) => !changed.has(wall));
    return [
      ...kept
        .map((wall) => (time.isDate ? wall : inZone(wall, home, timezone, data)))
        .flatMap((wall) => this.itemsOf(master, timesFrom(wall, start, span, data), wall.slice(0, 10))),
      ...[...changed.values()].flatMap((change) => this.guarded(change, () => this.changedDate(change))),
    ];
  }

  private recurrenceOf({ event }: Component, toWall: (date: ZonedTime['time'], tzid: string | undefined) => string): string {
    const property = event.getFirstProperty('recurrence-id');
    const tzid: unknown = property?.getParameter('tzid');
    if (property?.getParameter('range'))
      this.notes.add('change of all later dates of a series (RANGE=THISANDFUTURE): only the first of these dates is changed');
    return toWall(property?.getFirstValue() as ZonedTime['time'], typeof tzid === 'string' ? tzid : undefined);
  }

  private changedDate(change: Component): SourceItem[] {
    const { start, span } = this.startOf(change);
    const times = timesFrom(start.wall, start, span, this.zones.data);
    if (times.start > this.window.to || times.end < this.window.from) return [];
    return this.itemsOf(change, times, start.wall.slice(0, 10));
  }
}

/** Opens iCalendar files. Settings: `from`, `to` (the period for which series are expanded), `max`. @throws DatasetError */
export const icsOpener =
  (limits: IcsLimits): Open =>
  async (input, options) => {
    const text = await readFile(input.file, 'utf8');
    if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text))
      throw new DatasetError(input.name, ['not an iCalendar file: it does not start with BEGIN:VCALENDAR']);
    const window = windowOf(options);
    let isFirstRead = true;
    return {
      name: input.name,
      siteUrl: '',
      clock: null,
      keepsIds: false,
      async *items(problems) {
        // Sources are read more than once, but notes are shown once.
        const notify = isFirstRead ? (line: string) => options.notify?.(line) : () => undefined;
        yield* new CalendarReader(input.name, options, window, problems, notify, limits).items(text);
        isFirstRead = false;
      },
    };
  };

export const openIcs = icsOpener(LIMITS);
