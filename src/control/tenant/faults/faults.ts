import { error } from './canned.js';
import { chance, effectProblem, checkSchedule, firstOf, RuleSchedule, type Scheduled } from './effects.js';
import { matcher, type MatchedRequest, type Matcher } from '../match.js';
import { qaError } from '../api/route.js';
import { didYouMean } from '../../../base/text/suggest.js';
import type * as Qa from '../../../sdk/types/qa.js';
import { lookup } from '../../../base/values/records.js';
import scenarios from './scenarios.json' with { type: 'json' };

/** Requests below the REST root, however it is addressed. */
const REST = '^/(?:index\\.php/)?wp-json(?:/|$)|[?&]rest_route=';

/** Scenarios that every server has. Those with chance have seeds, so that they run the same every time. */
const BUILT_IN = lookup(scenarios as unknown as Readonly<Record<string, Qa.FaultScenario>>);

interface Armed extends Scheduled<Qa.Effect> {
  rule: Omit<Qa.KnownFault, 'seen' | 'hits'>;
  random: () => number;
}

export interface Fault {
  rule: number;
  effect: Qa.Effect;
  /** Random numbers, seeded by the rule. */
  random: () => number;
}

export const FAULT_PROFILES = ['rest-disabled', 'forbidden', 'maintenance'] as const satisfies Qa.FaultProfile[];

/** The rules of the profiles: a plugin has closed the REST API to visitors, a firewall to everybody, or the site is in maintenance mode. */
const PROFILE_RULES: Record<Qa.FaultProfile, Qa.FaultRule> = {
  'rest-disabled': {
    match: { regex: REST },
    effect: { status: 401, body: error('rest_login_required', 'The REST API is open to signed-in users only.', 401) },
  },
  forbidden: { match: { regex: REST }, effect: { status: 403 } },
  maintenance: { effect: { status: 503 } },
};

/** Whether a request has credentials. The profile `rest-disabled` affects only requests without. */
const isSignedIn = ({ header }: MatchedRequest): boolean =>
  header('authorization') !== undefined || /\bwordpress_logged_in_/.test(header('cookie') ?? '');

function checkEffect(effect: Qa.Effect): void {
  if (Object.keys(effect).length === 0) throw qaError('invalid_fault', 'The effect is empty. Set at least one of its members.');
  const problem = effectProblem(effect);
  if (problem !== undefined) throw qaError('invalid_fault', problem);
}

/** The effect of a rule, or its sequence. @throws RestError for an invalid rule */
function stepsOf({ effect, sequence, ...schedule }: Qa.FaultRule): Qa.Effect | NonNullable<Qa.FaultRule['sequence']> {
  if (effect !== undefined && sequence !== undefined) throw qaError('invalid_fault', '"effect" cannot be combined with "sequence".');
  const steps = sequence ?? effect;
  if (steps === undefined) throw qaError('invalid_fault', 'A fault requires an "effect", a "sequence" or a "profile".');
  checkSchedule({ ...schedule, sequence });
  for (const step of [steps].flat()) if (step !== 'ok') checkEffect(step);
  return steps;
}

/** A rule merged with the rule of its profile. @throws RestError if it has both */
function withProfile({ profile, ...rule }: Qa.ScenarioRule): Qa.FaultRule {
  if (profile === undefined) return rule;
  if (rule.effect ?? rule.sequence) throw qaError('invalid_fault', 'A "profile" cannot be combined with "effect" or "sequence".');
  return { ...PROFILE_RULES[profile], ...rule, ...(rule.match ? { match: { ...PROFILE_RULES[profile].match, ...rule.match } } : {}) };
}

interface ScenarioStart extends Pick<Qa.FaultSchedule, 'seed'> {
  /** Further conditions for all its rules. */
  match?: Qa.Match | undefined;
}

/** The fault rules of a tenant. The first matching rule that is not exhausted applies. */
export class Faults {
  private armed: Armed[] = [];
  private lastId = 0;
  private removals = 0;
  private readonly own = new Map<string, Qa.FaultScenario>();

  /** @param shared scenarios of the server, besides the built-in ones */
  constructor(private readonly shared: Readonly<Record<string, Qa.FaultScenario>> = {}) {}

  /** Differs after every change, and after every request that matched a rule. */
  get stamp(): string {
    return [this.lastId, this.removals, ...this.armed.map(({ schedule: { seen, hits } }) => `${seen}.${hits}`)].join();
  }

  get size(): number {
    return this.armed.length;
  }

  /** Whether a rule looks at the body of requests. */
  get readsBody(): boolean {
    return this.armed.some(({ rule }) => rule.match?.body !== undefined);
  }

  /** @throws RestError for an invalid rule */
  add(given: Qa.ScenarioRule, scenario?: string): Qa.KnownFault {
    const { profile } = given;
    const rule = withProfile(given);
    const steps = stepsOf(rule);
    const fits = matcher(rule.match ?? {});
    const matches: Matcher = profile === 'rest-disabled' ? (request) => (isSignedIn(request) ? ['signed in'] : fits(request)) : fits;
    const id = (this.lastId += 1);
    const seed = rule.seed ?? id;
    const known = { id, ...(profile ? { profile } : {}), ...(scenario === undefined ? {} : { scenario }), ...rule };
    const armed = { rule: known, matches, schedule: new RuleSchedule<Qa.Effect>(rule, steps, seed), random: chance(seed) };
    this.armed.push(armed);
    return shown(armed);
  }

  list(): Qa.KnownFault[] {
    return this.armed.map(shown);
  }

  /** Starts with the rules and scenarios of others, which share their counters from then on: others should be cleared. */
  copy({ armed, lastId, own }: Faults): void {
    this.armed = [...armed];
    this.lastId = lastId;
    for (const [name, scenario] of own) this.own.set(name, scenario);
  }

  /** Starts with saved rules, which are as often used as they were. A sequence begins again. @throws RestError for an invalid rule */
  resume(known: readonly Qa.KnownFault[]): void {
    for (const { id, seen, hits, scenario, ...rule } of known) {
      this.lastId = id - 1;
      const { effect: _, sequence: _steps, ...scheduled } = rule;
      // The rule of a profile has its effect, too.
      this.add(rule.profile === undefined ? rule : scheduled, scenario);
      Object.assign(this.armed[this.armed.length - 1].schedule, { seen, hits });
    }
  }

  /** @returns whether the rule existed */
  remove(id: number): boolean {
    return this.removeWhere(({ rule }) => rule.id === id) > 0;
  }

  /** @returns how many rules were removed */
  clear(): number {
    return this.removeWhere(() => true);
  }

  private removeWhere(isGone: (armed: Armed) => boolean): number {
    const before = this.armed.length;
    this.removals += 1;
    this.armed = this.armed.filter((each) => !isGone(each));
    return before - this.armed.length;
  }

  /** The fault to apply to a request, which is counted; null if none applies. */
  take(request: MatchedRequest): Fault | null {
    const found = firstOf<Qa.Effect, Armed>(this.armed, request);
    return found && { rule: found.rule.rule.id, effect: found.step, random: found.rule.random };
  }

  /** All scenarios: built-in ones, the server's, and the tenant's. Later ones replace earlier ones of the same name. */
  scenarios(): Qa.KnownScenario[] {
    const all = { ...BUILT_IN, ...this.shared, ...Object.fromEntries(this.own) };
    return Object.entries(all).map(([name, scenario]) => ({
      name,
      ...scenario,
      builtIn: scenario === BUILT_IN[name],
      active: this.isActive(name),
    }));
  }

  private isActive(name: string): boolean {
    return this.armed.some(({ rule }) => rule.scenario === name);
  }

  /** @throws RestError if it does not exist */
  scenario(name: string): Qa.KnownScenario {
    const all = this.scenarios();
    const found = all.find((each) => each.name === name);
    if (found) return found;
    const names = all.map((each) => each.name);
    const hint = didYouMean(name, names) || '.';
    throw qaError('no_scenario', `Scenario ${JSON.stringify(name)} does not exist${hint} (Known: ${names.join(', ')}.)`, 404);
  }

  /** Defines a scenario, or replaces it. Rules of an earlier definition stay switched on. @throws RestError for an invalid rule */
  define(name: string, scenario: Qa.FaultScenario): Qa.KnownScenario {
    checkScenario(scenario);
    this.own.set(name, scenario);
    return this.scenario(name);
  }

  /** Deletes the definition of this tenant, and switches it off. @returns whether there was one */
  forget(name: string): boolean {
    const existed = this.own.delete(name);
    if (existed) this.stop(name);
    return existed;
  }

  /** Switches a scenario on, from its beginning. @throws RestError if it does not exist */
  start(name: string, { match, seed }: ScenarioStart = {}): Qa.KnownFault[] {
    const { faults } = this.scenario(name);
    this.stop(name);
    return faults.map((rule) =>
      this.add(
        {
          ...rule,
          ...(match === undefined ? {} : { match: { ...rule.match, ...match } }),
          ...(seed === undefined ? {} : { seed: (rule.seed ?? 0) + seed }),
        },
        name,
      ),
    );
  }

  /** Switches a scenario off. @returns how many rules were removed */
  stop(name: string): number {
    return this.removeWhere(({ rule }) => rule.scenario === name);
  }
}

const shown = ({ rule, schedule: { seen, hits } }: Armed): Qa.KnownFault => ({ ...rule, seen, hits });

/** @throws RestError for an invalid rule */
export function checkScenario({ faults }: Qa.FaultScenario): void {
  if (faults.length === 0) throw qaError('invalid_fault', 'The scenario is empty. Set at least one rule.');
  const scratch = new Faults();
  for (const rule of faults) scratch.add(rule);
}
