import { error } from './canned.js';
import { chance } from './chance.js';
import { effectRows } from './effects.js';
import { matcher, type MatchedRequest, type Matcher } from '../match.js';
import { qaError } from '../route.js';
import type { Effect, FaultProfile, FaultRule, KnownFault } from '../../qa-types.js';

interface Armed {
  rule: KnownFault;
  matches: Matcher;
  seen: number;
  random: () => number;
}

/** A fault to apply to a request. */
export interface Fault {
  rule: number;
  effect: Effect;
  /** Random numbers, seeded by the rule. */
  random: () => number;
}

export const PROFILES = ['rest-disabled', 'forbidden', 'maintenance'] as const satisfies FaultProfile[];

const REST = '^/(?:index\\.php/)?wp-json(?:/|$)|[?&]rest_route=';

/** The rules of the profiles: a plugin has closed the REST API to visitors, a firewall to everybody, or the site is in maintenance mode. */
const PROFILE_RULES: Record<FaultProfile, FaultRule> = {
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

function checkEffect(effect: Effect): void {
  if (Object.keys(effect).length === 0) throw qaError('invalid_fault', 'The effect is empty. Set at least one of its members.');
  const [problem] = effectRows(effect).flatMap(([row, value]) => row.problem?.(value, effect) ?? []);
  if (problem !== undefined) throw qaError('invalid_fault', problem);
}

/** The fault rules of a tenant. The first matching rule that is not exhausted applies. */
export class Faults {
  private armed: Armed[] = [];
  private lastId = 0;

  get size(): number {
    return this.armed.length;
  }

  /** @throws RestError for an invalid rule */
  add(rule: FaultRule, profile?: FaultProfile): KnownFault {
    checkEffect(rule.effect);
    const fits = matcher(rule.match ?? {});
    const matches: Matcher = profile === 'rest-disabled' ? (request) => (isSignedIn(request) ? ['signed in'] : fits(request)) : fits;
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

  /** @returns whether the rule existed */
  remove(id: number): boolean {
    const before = this.armed.length;
    this.armed = this.armed.filter(({ rule }) => rule.id !== id);
    return this.armed.length < before;
  }

  clear(): void {
    this.armed = [];
  }

  /** The fault to apply to a request, which is counted; null if there is none. */
  take(request: MatchedRequest): Fault | null {
    for (const each of this.armed) {
      const { rule } = each;
      if (rule.times !== undefined && rule.hits >= rule.times) continue;
      if (each.matches(request).length > 0) continue;
      each.seen += 1;
      if (each.seen <= (rule.skip ?? 0)) continue;
      rule.hits += 1;
      return { rule: rule.id, effect: rule.effect, random: each.random };
    }
    return null;
  }
}
