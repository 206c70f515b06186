import ICAL from 'ical.js';

/*
 * ical.js looks for the next date of a rule until it finds one, which may be never. So each rule of a file has an iterator that counts what it
 * does, and gives up.
 */

export type IcalRecur = InstanceType<typeof ICAL.Recur>;
type IcalTime = InstanceType<typeof ICAL.Time>;

/** Maximum numbers of steps. A step takes about 0.1 µs; to check a date takes ten and more. */
export interface StepLimits {
  /** For one rule, each time that it is evaluated. */
  rule: number;
  /** For all rules of a file. */
  file: number;
}

export const STEP_LIMITS: StepLimits = { rule: 4_000_000, file: 20_000_000 };

/** What a look at a date costs besides the values of the rule that it is compared with. */
const LOOK = 10;
/** What it costs to go to the next day: a large interval goes through all of its days. */
const DAY = 5;
const PER_DAY = { second: 86_400, minute: 1440, hour: 24 };
/** How many days of a year each value of a rule stands for, at most: the weeks. */
const YEARLY = 53;

const MAX_SHOWN = 100;

/** A file asks for too much as a whole: nothing further can be read of it. */
export class TooMuch extends Error {}

/** Counts the steps of the rules of a file. */
export class RuleSteps {
  private taken = 0;

  constructor(private readonly limits: StepLimits = STEP_LIMITS) {}

  /** Begins to evaluate a rule. @returns a function that adds steps. @throws Error above the limit of the rule, TooMuch above the limit of the file */
  begin(rule: IcalRecur): (steps: number) => void {
    let own = 0;
    return (steps) => {
      own += steps;
      this.taken += steps;
      if (own > this.limits.rule)
        throw new Error(
          `the rule ${shown(rule)} takes too many steps: it has no dates, or they are rare. Correct it, or list the dates (RDATE)`,
        );
      if (this.taken > this.limits.file)
        throw new TooMuch(
          `the rules up to ${shown(rule)} take too many steps, so the events from here on were not read. Split the file, or let series start later`,
        );
    };
  }
}

const shown = (rule: IcalRecur): string => {
  const text = rule.toString();
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

/** Counts in all methods that loops of ical.js call in each round. */
class CountingIterator extends ICAL.RecurIterator {
  // Set before the constructor of ical.js has ended, which looks for the first date.
  declare private count: (steps: number) => void;
  declare private values: number;

  override fromData(options: ConstructorParameters<typeof ICAL.RecurIterator>[0] & { count: (steps: number) => void }): void {
    this.count = options.count;
    this.values = Object.values(options.rule.parts).reduce((sum, part) => sum + (Array.isArray(part) ? part.length : 1), 0);
    super.fromData(options);
  }

  override check_contracting_rules(): boolean {
    this.count(LOOK + this.values);
    return super.check_contracting_rules();
  }

  override increment_monthday(days: number): void {
    this.count(DAY * days);
    super.increment_monthday(days);
  }

  override increment_generic(amount: number, unit: 'second' | 'minute' | 'hour', factor: number, next: string): void {
    this.count(LOOK + amount / PER_DAY[unit]);
    super.increment_generic(amount, unit, factor, next);
  }

  override increment_month(): void {
    this.count(LOOK);
    super.increment_month();
  }

  override increment_year(inc: number): void {
    this.count(LOOK);
    super.increment_year(inc);
  }

  override expand_year_days(year: number): number {
    this.count(LOOK + YEARLY * this.values);
    return super.expand_year_days(year);
  }

  override ruleDayOfWeek(day: string, weekStart?: number): number[] {
    this.count(1);
    return super.ruleDayOfWeek(day, weekStart);
  }
}

/** Makes a rule count its steps. Repeated values are dropped: they only take time. */
export function counting(rule: IcalRecur, steps: RuleSteps): IcalRecur {
  const parts = rule.parts as Record<string, unknown>;
  for (const [name, values] of Object.entries(parts)) if (Array.isArray(values)) parts[name] = [...new Set<unknown>(values)];
  rule.iterator = (start: IcalTime) => new CountingIterator({ rule, dtstart: start, count: steps.begin(rule) } as never);
  return rule;
}

type IcalComponent = InstanceType<typeof ICAL.Component>;

/** Makes all rules of a component count their steps, also those that ical.js evaluates itself, of time zones. */
export function countRules(component: IcalComponent, steps: RuleSteps): void {
  for (const each of [component, ...component.getAllSubcomponents()])
    for (const name of ['rrule', 'exrule'])
      for (const property of each.getAllProperties(name))
        for (const value of property.getValues()) if (value instanceof ICAL.Recur) counting(value, steps);
}
