import type { Report } from '../../load/inventory.js';
import { readFile } from 'node:fs/promises';
import { newestZones } from '../../../base/php/zone-data.js';
import { parseDate } from '../../../base/php/strtotime.js';
import { UTC } from '../../../base/php/timezone.js';
import { Clock } from '../../../wordpress/clock.js';
import { epochOf, wallAt, zoneOf } from '../../../wordpress/timezones.js';
import { DocumentBuilder } from '../../documents.js';
import { Omissions } from '../../writing.js';
import { leaving, type Open, type ReadOptions } from '../format.js';
import { calendarsOf, type Component, DAY, EventProblem, textOf } from './components.js';
import { eventItems, hasImage } from './event.js';
import { RuleSteps, STEP_LIMITS, TooMuch, type StepLimits } from './expand.js';
import { contentLines, type ContentLine } from './lines.js';
import {
  changedWall,
  isForLater,
  lastChange,
  recurrenceOf,
  seriesOf,
  startOf,
  type DateChange,
  type SeriesReader,
  type Window,
} from './series.js';
import { eventSpan, instantOfTime, timesAt, wallText, type EventSpan, type ZonedTime, CalendarZones } from './times.js';
import { type SourceItem, type SourcePlace, DatasetError, Problems } from '../../source.js';
import type { WallTimes } from '../../fields.js';

/** A VEVENT. */
interface EventComponent {
  event: Component;
  uid: string;
  at: SourcePlace;
}

/** A VEVENT that changes a date of a series, or all later ones. */
interface Change extends EventComponent, DateChange {
  span: EventSpan;
}

const MAX_EVENTS = 1_000;

/** Limits of a file, since a short line makes many events. */
interface IcsLimits {
  /** Maximum number of events that all series make. */
  events: number;
  steps: StepLimits;
}

const LIMITS: IcsLimits = { events: 100_000, steps: STEP_LIMITS };

/** The period to read: set by the user, or from one year ago to two years ahead. */
interface WindowSettings extends Window {
  /** Maximum number of events that all series of the file make. */
  mostOfFile: number;
  /** Whether it also limits events that do not recur. */
  limitsSingleEvents: boolean;
}

const secondsOf = (day: string): number => epochOf(day, UTC) ?? 0;

/** @throws DatasetError for invalid settings */
function windowOf({ settings = {}, now, zone = 'UTC', zones = newestZones() }: ReadOptions, limits: IcsLimits): WindowSettings {
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
  const count = (name: 'max' | 'max-events', usual: number): number => {
    const given = Number(settings[name] ?? usual);
    if (!Number.isInteger(given) || given < 1) problems.add(`--${name}`, `"${settings[name]}" is not a positive integer`);
    return given;
  };
  const [most, mostOfFile] = [count('max', MAX_EVENTS), count('max-events', limits.events)];
  if (to < from) problems.add('--to', `${to} is before ${from}`);
  problems.throwIfAny('iCalendar');
  return {
    from: secondsOf(from),
    to: secondsOf(to) + DAY - 1,
    most,
    mostOfFile,
    limitsSingleEvents: settings['from'] !== undefined || settings['to'] !== undefined,
  };
}

const sequenceOf = ({ event }: EventComponent): number => Number(event.value('SEQUENCE')) || 0;

const MAX_SHOWN = 60;

/** Converts one calendar of a file to items. */
class CalendarReader {
  private readonly zones: CalendarZones;
  private readonly notes = new Omissions();

  constructor(
    private readonly calendar: Component,
    private readonly file: FileReader,
    zone: string,
  ) {
    const { documents, warn } = file;
    this.zones = new CalendarZones(zone, documents.zones, warn, file.doubt);
  }

  *items(): Iterable<SourceItem> {
    const { calendar, zones, file } = this;
    for (const component of calendar.components)
      if (component.name === 'VTIMEZONE') this.guarded(this.placeOf(component), () => (zones.describe(component, file.steps), []));
    const name = textOf(calendar.value('X-WR-TIMEZONE'));
    zones.calendar = name === '' ? undefined : zones.of(name);
    if (name !== '' && !zones.calendar)
      file.warn(`X-WR-TIMEZONE: unknown time zone "${name}". Times without a zone are read as times of the site`, { line: calendar.line });
    const events = calendar.components.flatMap((component): EventComponent[] => {
      if (component.name === 'VEVENT') {
        const at = this.placeOf(component);
        if (component.isComplete) return [{ event: component, uid: textOf(component.value('UID')), at }];
        file.leave('END:VEVENT is missing', at);
      } else if (component.name !== 'VTIMEZONE') this.notes.add(`${component.name}: only events are imported`);
      return [];
    });
    yield* this.series(events);
    this.notes.report('iCalendar', file.warn);
  }

  private placeOf(component: Component): SourcePlace {
    const title = textOf(component.value(component.name === 'VTIMEZONE' ? 'TZID' : 'SUMMARY'));
    const shown = title.length > MAX_SHOWN ? `${title.slice(0, MAX_SHOWN)}…` : title;
    return { line: component.line, path: shown === '' ? component.name : `${component.name} "${shown}"` };
  }

  /** Selects, among components with the same key, those of the latest version (SEQUENCE). */
  private latest<T extends EventComponent>(components: readonly T[]): T[] {
    const last = components.reduce((most, each) => Math.max(most, sequenceOf(each)), 0);
    for (const { at, event } of components.filter((each) => sequenceOf(each) < last))
      this.file.warn(`left out: a later version has the same UID "${event.value('UID')}" (SEQUENCE ${last})`, at);
    return components.filter((each) => sequenceOf(each) === last);
  }

  /** Assigns changes of single dates (RECURRENCE-ID) to their series. */
  private *series(events: readonly EventComponent[]): Iterable<SourceItem> {
    const masters = new Map<string, EventComponent[]>();
    const changes = new Map<string, EventComponent[]>();
    events.forEach((component, index) => {
      const { event, uid } = component;
      const [map, key] = event.has('RECURRENCE-ID') ? [changes, uid] : [masters, uid === '' ? `#${index}` : `=${uid}`];
      const others = map.get(key);
      if (others) others.push(component);
      else map.set(key, [component]);
    });
    for (const [key, all] of masters) {
      const [first, ...others] = this.latest(all);
      for (const { at, uid } of others) this.file.warn(`has the same UID "${uid}" as an event before: both are imported`, at);
      const uid = key.slice(1);
      yield* this.guarded(first.at, () => this.event(first, key.startsWith('=') ? (changes.get(uid) ?? []) : []));
      for (const other of others) yield* this.guarded(other.at, () => this.event(other, []));
    }
    for (const [uid, orphans] of changes)
      if (!masters.has(`=${uid}`)) for (const orphan of orphans) yield* this.guarded(orphan.at, () => this.once(orphan));
  }

  /** Reports the problem of one component and continues with the others. */
  private guarded(at: SourcePlace, read: () => SourceItem[]): SourceItem[] {
    const { file } = this;
    if (file.isTooMuch) return [];
    try {
      return read();
    } catch (error) {
      if (!(error instanceof EventProblem || error instanceof TooMuch)) throw error;
      file.isTooMuch ||= error instanceof TooMuch;
      file.leave(error.message, at);
      return [];
    }
  }

  private startAndSpan({ event, at }: EventComponent): { start: ZonedTime; span: EventSpan } {
    const start = startOf(event, this.zones);
    return { start, span: eventSpan(event, start, this.zones, (note) => this.file.warn(note, at)) };
  }

  private event(master: EventComponent, changes: readonly EventComponent[]): SourceItem[] {
    const { event } = master;
    if (event.has('RRULE') || event.has('RDATE')) return this.repeated(master, changes);
    if (changes.length === 0) return this.once(master);
    const { start } = this.startAndSpan(master);
    const { single } = this.changesOf(changes, start);
    const isChanged = single.some(({ from }) => from.key === instantOfTime(start));
    return [...(isChanged ? [] : this.once(master)), ...single.flatMap((change) => this.once(change))];
  }

  private once(component: EventComponent): SourceItem[] {
    const { start, span } = this.startAndSpan(component);
    const times = timesAt(start.wall, start, span, start.shown.nameAt(start.wall));
    if (this.file.window.limitsSingleEvents && !this.isIn(times)) {
      this.notes.add('event outside the period');
      return [];
    }
    return this.itemsOf(component, times);
  }

  private isIn({ start, end }: WallTimes): boolean {
    const { from, to } = this.file.window;
    return start <= wallText(to) && end >= wallText(from);
  }

  private itemsOf({ event, at }: EventComponent, times: WallTimes, slug?: string): SourceItem[] {
    if (hasImage(event)) this.notes.add('image of an event (ATTACH): images are not fetched');
    return eventItems(event, times, this.file.documents, at, slug);
  }

  /** The changes of a series that can be read: of single dates, and of all later dates in their order. */
  private changesOf(changes: readonly EventComponent[], start: ZonedTime): { single: Change[]; later: Change[] } {
    const byDate = new Map<string, Change[]>();
    for (const change of changes)
      this.guarded(change.at, () => {
        const read: Change = { ...change, ...this.startAndSpan(change), from: recurrenceOf(change.event, start, this.zones) };
        const key = `${read.from.key} ${isForLater(change.event)}`;
        const others = byDate.get(key);
        if (others) others.push(read);
        else byDate.set(key, [read]);
        return [];
      });
    // The last one in the file counts among equal versions.
    const latest = [...byDate.values()].map((all) => this.latest(all).at(-1)!);
    const later = latest.filter(({ event }) => isForLater(event)).sort((a, b) => a.from.key - b.from.key);
    return { single: latest.filter(({ event }) => !isForLater(event)), later };
  }

  private repeated(master: EventComponent, changes: readonly EventComponent[]): SourceItem[] {
    const { file } = this;
    const { start, span } = this.startAndSpan(master);
    const reader: SeriesReader = {
      zones: this.zones,
      steps: file.steps,
      onProblem: (problem, line) => file.leave(`a date of the series: ${problem}`, { ...master.at, line }),
    };
    const { dates, cut, doubts, isExcluded } = seriesOf(master.event, start, file.window, span.days * DAY + span.seconds, reader);
    if (cut)
      file.warn(
        `more than ${file.window.most} events in the period: only the first ${file.window.most} are imported. Raise the limit with --max, or set the period with --from and --to`,
        master.at,
      );
    for (const doubt of doubts) file.warn(doubt, master.at);
    file.count(dates.length);
    const { single: all, later } = this.changesOf(changes, start);
    const single = all.filter((change) => {
      const isOld = isExcluded(change.from) && sequenceOf(change) < sequenceOf(master);
      if (isOld) file.warn('left out: a later version of the series excludes its date (EXDATE)', change.at);
      return !isOld;
    });
    const changed = new Set(single.map(({ from }) => from.key));
    const timezone = start.shown.nameAt(start.wall);
    const items = dates
      .filter(({ key }) => !changed.has(key))
      .flatMap((date) => {
        const change = lastChange(later, date.key);
        const times = change
          ? timesAt(changedWall(change, date), change.start, change.span, change.start.shown.nameAt(change.start.wall))
          : timesAt(date.wall, start, date.span ?? span, timezone);
        return this.itemsOf(change ?? master, times, times.start.slice(0, 10));
      });
    return [...items, ...single.flatMap((change) => this.changedDate(change))];
  }

  private changedDate(change: Change): SourceItem[] {
    const { start, span } = change;
    const times = timesAt(start.wall, start, span, start.shown.nameAt(start.wall));
    return this.isIn(times) ? this.itemsOf(change, times, times.start.slice(0, 10)) : [];
  }
}

/** State that the calendars of a file share. */
class FileReader {
  readonly steps: RuleSteps;
  readonly documents: DocumentBuilder;
  /** Whether the file requires too much to be read to its end. */
  isTooMuch = false;
  private eventsOfSeries = 0;

  constructor(
    private readonly name: string,
    private readonly options: ReadOptions,
    readonly window: WindowSettings,
    private readonly problems: Report,
    steps: StepLimits,
  ) {
    const { now, zone = 'UTC', zones = newestZones() } = options;
    this.steps = new RuleSteps(steps);
    this.documents = new DocumentBuilder(now, zone, zones);
  }

  readonly warn: Report = (line, at) => this.options.warn?.(line, at && { file: this.name, ...at });

  readonly leave: Report = (why, at) => leaving(this.options, this.name, this.problems)(why, at);

  /** Reports what is read as it is probably not meant: a warning, or with `strict` a problem. */
  readonly doubt: Report = (what) => (this.options.strict ? this.problems(what, { file: this.name }) : this.warn(what, {}));

  /** Counts events of series. @throws TooMuch */
  count(events: number): void {
    this.eventsOfSeries += events;
    if (this.eventsOfSeries > this.window.mostOfFile)
      throw new TooMuch(
        `the series up to here make more than ${this.window.mostOfFile} events in the period, so the further ones were not read. Set a shorter period with --from and --to, a lower --max, or a higher --max-events`,
      );
  }

  *items(lines: Iterable<ContentLine>): Iterable<SourceItem> {
    const calendars = calendarsOf(lines, (problem, line) => this.leave(problem, { line }));
    for (const calendar of calendars) {
      if (!calendar.isComplete) this.warn('the file is truncated: END:VCALENDAR is missing', { line: calendar.line });
      yield* new CalendarReader(calendar, this, this.documents.zone).items();
    }
  }
}

const BEGINS = /^\s*BEGIN:VCALENDAR\s*$/i;

/** Opens iCalendar files. Settings: `from`, `to` (the period for which series are expanded), `max`. @throws DatasetError */
export const icsOpener =
  (limits: IcsLimits): Open =>
  async (input, options) => {
    const lines = await contentLines(await readFile(input.file), input.name, input.encoding);
    if (!lines.some(({ text }) => BEGINS.test(text)))
      throw new DatasetError(input.name, ['not an iCalendar file: it has no line BEGIN:VCALENDAR']);
    const window = windowOf(options, limits);
    return {
      name: input.name,
      siteUrl: '',
      clock: null,
      keepsIds: false,
      async *items(problems) {
        yield* new FileReader(input.name, options, window, problems, limits.steps).items(lines);
      },
    };
  };

export const openIcs = icsOpener(LIMITS);
