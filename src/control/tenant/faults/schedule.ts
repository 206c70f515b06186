import { qaError } from '../api/route.js';
import { chance } from './effects.js';
import type { MatchedRequest, Matcher } from '../match.js';
import type { FaultSchedule, SequenceStep } from '../../../sdk/types/qa.js';
import type { Args } from '../../../wordpress/rest/route.js';

/** The arguments that decide which of the matching requests a rule affects. */
export const SCHEDULE_ARGS = {
  skip: { type: 'integer', minimum: 0, description: 'Number of matching requests to let through first.' },
  every: {
    type: 'integer',
    minimum: 1,
    description: 'Affects only every nth of the matching requests: with 3, the third, the sixth, and so on.',
  },
  probability: { type: 'number', minimum: 0, maximum: 1, description: 'Affects a matching request only with this probability, by `seed`.' },
  times: { type: 'integer', minimum: 1, description: 'Number of requests to affect. Default: all.' },
  seed: {
    type: 'integer',
    description: 'Seed of random delays and of `probability`: the same seed gives the same sequence. Default: the ID.',
  },
  atEnd: {
    type: 'string',
    enum: ['stop', 'repeat', 'stay'],
    description:
      'After the last step of `sequence`: `stop` (default) lets requests through, `repeat` starts over, `stay` repeats the last step.',
  },
} satisfies Args;

/** @throws RestError for members that do not fit together */
export function checkSchedule({ atEnd, sequence }: FaultSchedule & { sequence?: SequenceStep[] | undefined }): void {
  if (atEnd !== undefined && sequence === undefined) throw qaError('invalid_fault', '"atEnd" requires a "sequence".');
  if (sequence?.length === 0) throw qaError('invalid_fault', 'The sequence is empty. Set at least one step.');
}

/** Separate random numbers for `probability` and for delays, so that they do not depend on each other. */
const DRAWS = 0x5bd1e995;

/** Decides which matching requests a rule affects, and how. */
export class RuleSchedule<Step extends object> {
  /** How many matching requests there were. */
  seen = 0;
  /** How many requests were affected. */
  hits = 0;
  /** How many steps of the sequence are done. */
  private done = 0;
  private readonly draw: () => number;
  private readonly steps: readonly (Step | 'ok')[];

  /** @param steps the sequence; a rule without has a single step that stays */
  constructor(
    private readonly rule: FaultSchedule,
    steps: readonly (Step | 'ok')[] | Step,
    seed: number,
  ) {
    const isSequence = Array.isArray(steps);
    this.steps = isSequence ? (steps as readonly (Step | 'ok')[]) : [steps as Step];
    this.rule = isSequence ? rule : { ...rule, atEnd: 'stay' };
    this.draw = chance(seed ^ DRAWS);
  }

  /** Whether the rule will affect no more requests. */
  get isOver(): boolean {
    const { times, atEnd = 'stop' } = this.rule;
    return (times !== undefined && this.hits >= times) || (atEnd === 'stop' && this.done >= this.steps.length);
  }

  private isSelected(): boolean {
    const { skip = 0, every = 1, probability } = this.rule;
    const counted = this.seen - skip;
    if (counted <= 0 || counted % every !== 0) return false;
    return probability === undefined || this.draw() < probability;
  }

  /** Counts a matching request. @returns its effect; null if it is let through */
  next(): Step | null {
    this.seen += 1;
    if (!this.isSelected()) return null;
    const last = this.steps.length - 1;
    const step = this.steps[this.rule.atEnd === 'repeat' ? this.done % this.steps.length : Math.min(this.done, last)];
    this.done += 1;
    if (step === 'ok') return null;
    this.hits += 1;
    return step;
  }
}

/** A rule that is switched on. */
export interface Scheduled<Step extends object> {
  matches: Matcher;
  schedule: RuleSchedule<Step>;
}

/** The first rule that affects a request, and how. The request is counted. */
export function firstOf<Step extends object, Rule extends Scheduled<Step>>(
  rules: readonly Rule[],
  request: MatchedRequest,
): { rule: Rule; step: Step } | null {
  for (const rule of rules) {
    if (rule.schedule.isOver || rule.matches(request).length > 0) continue;
    const step = rule.schedule.next();
    if (step) return { rule, step };
  }
  return null;
}
