import { error } from './canned.js';
import { chance } from './chance.js';
import { effectRows } from './effects.js';
import { matcher, type Asked, type Matcher } from '../match.js';
import { refuse } from '../route.js';
import type { Effect, FaultProfile, FaultRule, KnownFault } from '../../qa-types.js';

interface Armed {
  rule: KnownFault;
  matches: Matcher;
  seen: number;
  random: () => number;
}

/** What is to be done to one request. */
export interface Fault {
  rule: number;
  effect: Effect;
  /** Numbers by the seed of the rule. */
  random: () => number;
}

export const PROFILES = ['rest-disabled', 'forbidden', 'maintenance'] as const satisfies FaultProfile[];

const REST = '^/(?:index\\.php/)?wp-json(?:/|$)|[?&]rest_route=';

/** Rules of the profiles: a plugin closed the REST API to visitors, a firewall to everybody, or the site is being updated. */
const PROFILE_RULES: Record<FaultProfile, FaultRule> = {
  'rest-disabled': {
    match: { regex: REST },
    effect: { status: 401, body: error('rest_login_required', 'The REST API is open to signed-in users only.', 401) },
  },
  forbidden: { match: { regex: REST }, effect: { status: 403 } },
  maintenance: { effect: { status: 503 } },
};

/** Whether a visitor is meant who has not signed in: the only ones to whom a REST API is closed by `rest-disabled`. */
const isSignedIn = ({ header }: Asked): boolean =>
  header('authorization') !== undefined || /\bwordpress_logged_in_/.test(header('cookie') ?? '');

function checkEffect(effect: Effect): void {
  if (Object.keys(effect).length === 0) throw refuse('invalid_fault', 'The effect is empty: say what is to go wrong.');
  const [problem] = effectRows(effect).flatMap(([row, value]) => row.problem?.(value, effect) ?? []);
  if (problem !== undefined) throw refuse('invalid_fault', problem);
}

/** The rules of a tenant: the first that fits and is not used up is the one that counts. */
export class Faults {
  private armed: Armed[] = [];
  private lastId = 0;

  get size(): number {
    return this.armed.length;
  }

  /** @throws RestError for a rule that makes no sense */
  add(rule: FaultRule, profile?: FaultProfile): KnownFault {
    checkEffect(rule.effect);
    const fits = matcher(rule.match ?? {});
    const matches: Matcher = profile === 'rest-disabled' ? (asked) => (isSignedIn(asked) ? ['signed in'] : fits(asked)) : fits;
    const known: KnownFault = { id: (this.lastId += 1), ...(profile ? { profile } : {}), ...rule, hits: 0 };
    this.armed.push({ rule: known, matches, seen: 0, random: chance(rule.seed ?? known.id) });
    return known;
  }

  addProfile(profile: FaultProfile, rule: Pick<FaultRule, 'times' | 'skip'>): KnownFault {
    return this.add({ ...PROFILE_RULES[profile], ...rule }, profile);
  }

  list(): KnownFault[] {
    return this.armed.map(({ rule }) => ({ ...rule }));
  }

  /** @returns whether there was such a rule */
  remove(id: number): boolean {
    const before = this.armed.length;
    this.armed = this.armed.filter(({ rule }) => rule.id !== id);
    return this.armed.length < before;
  }

  clear(): void {
    this.armed = [];
  }

  /** The fault of a request, which counts as done with this; null when nothing is to go wrong. */
  take(asked: Asked): Fault | null {
    for (const each of this.armed) {
      const { rule } = each;
      if (rule.times !== undefined && rule.hits >= rule.times) continue;
      if (each.matches(asked).length > 0) continue;
      each.seen += 1;
      if (each.seen <= (rule.skip ?? 0)) continue;
      rule.hits += 1;
      return { rule: rule.id, effect: rule.effect, random: each.random };
    }
    return null;
  }
}
