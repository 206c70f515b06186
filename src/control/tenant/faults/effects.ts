import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { cannedResponse, type Canned } from './canned.js';
import { DELAY_FORMS, isDelay } from '../../../base/text/delay.js';
import { headerProblem } from '../../../base/text/headers.js';
import { ucfirst } from '../../../base/php/cast.js';
import type { Effect, Delay, FaultSchedule, SequenceStep } from '../../../sdk/types/qa.js';
import type { Schema, Args } from '../../../wordpress/rest/route.js';
import { qaError } from '../api/route.js';
import type { MatchedRequest, Matcher } from '../match.js';

/** A seeded random number generator: numbers from 0 (inclusive) to 1 (exclusive) (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A normally distributed number with mean 0 and standard deviation 1 (Box-Muller transform). */
const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Draws a delay in ms, at least 0. */
export function drawDelay(delay: Delay, random: () => number): number {
  if (typeof delay === 'number') return delay;
  if ('fixed' in delay) return delay.fixed;
  if ('uniform' in delay) return delay.uniform[0] + random() * (delay.uniform[1] - delay.uniform[0]);
  if ('normal' in delay) return Math.max(0, delay.normal.mean + delay.normal.deviation * normal(random));
  return delay.lognormal.median * Math.exp(delay.lognormal.sigma * normal(random));
}

/** The operations of effects on a connection. */
export interface Exchange {
  /** Random numbers, seeded by the rule. */
  random: () => number;
  /** Closes the connection before the response. */
  hangUp: () => void;
  /** Sends the headers and the first bytes of the body, then closes the connection. */
  breakOff: (body: Buffer, bytes: number) => void;
}

/** An effect: its schema, and what it does at each stage of a request. Effects without a stage are options of another effect. */
interface EffectRow<Value> {
  /** The `title` describes what it does. */
  schema: Schema & { title: string };
  /** Problem with a value or its combination with other effects. */
  problem?(value: Value, effect: Effect): string | undefined;
  /** Before the site handles the request. True: there is no response. */
  before?(value: Value, exchange: Exchange): Promise<boolean> | boolean;
  /** Instead of the site. */
  respond?(value: Value, effect: Effect): Canned;
  /** Changes the bytes of the body. */
  cut?(value: Value, body: Buffer): Buffer;
  /** Changes how the body is sent; null: it has been sent. */
  send?(value: Value, body: Buffer, exchange: Exchange): Readable | Buffer | null;
}

const SLICES_PER_SECOND = 20;

async function* slowly(bytes: Buffer, perSecond: number): AsyncGenerator<Buffer> {
  const slice = Math.max(1, Math.floor(perSecond / SLICES_PER_SECOND));
  for (let at = 0; at < bytes.length; at += slice) {
    if (at > 0) await sleep((slice / perSecond) * 1000);
    yield bytes.subarray(at, at + slice);
  }
}

/** A problem as a message. */
export const sentence = (problem: string | undefined): string | undefined => problem && `${ucfirst(problem)}.`;

const needsStatus = (_value: unknown, { status }: Effect): string | undefined =>
  status === undefined ? '"body" and "headers" require a "status".' : undefined;

/** The effects, in the order in which they are applied. To add one, add a member to `Effect` and a row here. */
const EFFECTS: { readonly [Name in keyof Effect]-?: EffectRow<NonNullable<Effect[Name]>> } = {
  delay: {
    schema: { type: ['number', 'object'], title: 'Delays the response: milliseconds, or a distribution of milliseconds' },
    problem: (delay) => (isDelay(delay) ? undefined : `Invalid "delay". Use ${DELAY_FORMS}.`),
    before: async (delay, { random }) => {
      await sleep(drawDelay(delay, random));
      return false;
    },
  },
  status: {
    schema: {
      type: 'integer',
      minimum: 100,
      maximum: 599,
      title: 'Responds with this status, and the default body for it unless `body` is set',
    },
    respond: (_status, effect) => cannedResponse(effect),
  },
  body: { schema: { title: 'Body of the response' }, problem: needsStatus },
  headers: {
    schema: { type: 'object', additionalProperties: { type: 'string' }, title: 'Additional headers of the response' },
    problem: (headers, effect) => needsStatus(headers, effect) ?? sentence(headerProblem(headers)),
  },
  drop: {
    schema: {
      type: 'string',
      enum: ['before', 'mid-body'],
      title: 'Drops the connection before the response, or in the middle of its body',
    },
    problem: (drop, { status, bytesPerSecond, prepend, truncate }) =>
      drop === 'before' && [status, bytesPerSecond, prepend, truncate].some((other) => other !== undefined)
        ? '"drop": "before" cannot be combined with "status", "prepend", "truncate" or "bytesPerSecond".'
        : undefined,
    before: (drop, exchange) => {
      if (drop === 'before') exchange.hangUp();
      return drop === 'before';
    },
    send: (_drop, body, exchange) => {
      exchange.breakOff(body, Math.ceil(body.length / 2));
      return null;
    },
  },
  prepend: {
    schema: { type: 'string', minLength: 1, title: 'Puts this text before the body, such as a notice of PHP' },
    cut: (text, body) => Buffer.concat([Buffer.from(text), body]),
  },
  truncate: {
    schema: {
      type: ['integer', 'boolean'],
      minimum: 0,
      title: 'Truncates the body to this many bytes, or to half of its length with true',
    },
    cut: (truncate, body) => (truncate === false ? body : body.subarray(0, truncate === true ? Math.floor(body.length / 2) : truncate)),
  },
  bytesPerSecond: {
    schema: { type: 'number', minimum: 1, title: 'Limits the rate at which the body is sent' },
    send: (perSecond, body) => Readable.from(slowly(body, perSecond)),
  },
};

export const EFFECT_SCHEMAS: Record<string, Schema> = Object.fromEntries(
  Object.entries(EFFECTS).map(([name, { schema }]) => [name, schema]),
);

/** The rows of the effects of a rule, with their values. */
export function effectRows(effect: Effect): [row: EffectRow<unknown>, value: unknown][] {
  const values = new Map<string, unknown>(Object.entries(effect));
  return Object.entries(EFFECTS).flatMap(([name, row]) => (values.get(name) === undefined ? [] : [[row, values.get(name)]]));
}

export function effectProblem(effect: Effect): string | undefined {
  const [problem] = effectRows(effect).flatMap(([row, value]) => row.problem?.(value, effect) ?? []);
  return problem;
}

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
