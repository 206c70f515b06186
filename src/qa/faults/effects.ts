import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { cannedAnswer, type Canned } from './canned.js';
import { drawDelay, isDelay } from './chance.js';
import type { Effect } from '../../qa-types.js';
import type { Schema } from '../../rest/route.js';

/** What an effect can do to a connection. */
export interface Exchange {
  /** Numbers by the seed of the rule. */
  random: () => number;
  /** Ends the connection before anything is answered. */
  hangUp: () => void;
  /** Sends the head and so many bytes of the body, then ends the connection. */
  breakOff: (body: Buffer, bytes: number) => void;
}

/** One effect: what it takes, and what it does at which stage of a request. Without a stage it only has a say in another effect. */
interface EffectRow<Value> {
  /** Its `title` says what it does. */
  schema: Schema & { title: string };
  /** What is wrong with a value, or with what else is asked for beside it. */
  problem?(value: Value, effect: Effect): string | undefined;
  /** Before the site is asked. True: nothing is answered. */
  before?(value: Value, exchange: Exchange): Promise<boolean> | boolean;
  /** In place of the site. */
  respond?(value: Value, effect: Effect): Canned;
  /** What of the body is sent. */
  cut?(value: Value, body: Buffer): Buffer;
  /** How the body is sent; null: it has been. */
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

const needsStatus = (_value: unknown, { status }: Effect): string | undefined =>
  status === undefined ? '"body" and "headers" need a "status".' : undefined;

/** The effects, in the order in which they are made. Another one takes a member of `Effect` and a row here. */
const EFFECTS: { readonly [Name in keyof Effect]-?: EffectRow<NonNullable<Effect[Name]>> } = {
  delay: {
    schema: { type: ['number', 'object'], title: 'Holds the response back: milliseconds, or a distribution of them' },
    problem: (delay) =>
      isDelay(delay)
        ? undefined
        : '"delay" is in ms: 500, {"uniform": [100, 900]}, {"normal": {"mean": 500, "deviation": 100}} or {"lognormal": {"median": 300, "sigma": 0.5}}.',
    before: async (delay, { random }) => {
      await sleep(drawDelay(delay, random));
      return false;
    },
  },
  status: {
    schema: { type: 'integer', minimum: 100, maximum: 599, title: 'Responds with this status, and the body that the service has for it' },
    respond: (_status, effect) => cannedAnswer(effect),
  },
  body: { schema: { title: 'Body in place of that of the service' }, problem: needsStatus },
  headers: {
    schema: { type: 'object', additionalProperties: { type: 'string' }, title: 'Headers beside those of the service' },
    problem: needsStatus,
  },
  drop: {
    schema: {
      type: 'string',
      enum: ['before', 'mid-body'],
      title: 'Ends the connection before the response, or in the middle of the body',
    },
    problem: (drop, { status, bytesPerSecond, truncate }) =>
      drop === 'before' && (status !== undefined || bytesPerSecond !== undefined || truncate !== undefined)
        ? 'A connection that is dropped before the answer has no status or body.'
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
  truncate: {
    schema: {
      type: ['integer', 'boolean'],
      minimum: 0,
      title: 'Leaves out the end of the body: keeps so many bytes, or with true half of it',
    },
    cut: (truncate, body) => (truncate === false ? body : body.subarray(0, truncate === true ? Math.floor(body.length / 2) : truncate)),
  },
  bytesPerSecond: {
    schema: { type: 'number', minimum: 1, title: 'Sends the body no faster than this' },
    send: (perSecond, body) => Readable.from(slowly(body, perSecond)),
  },
};

/** What is said of the effects in the schema of a rule. */
export const EFFECT_SCHEMAS: Record<string, Schema> = Object.fromEntries(
  Object.entries(EFFECTS).map(([name, { schema }]) => [name, schema]),
);

/** The rows of the effects that are asked for, each with its value. */
export function effectRows(effect: Effect): [row: EffectRow<unknown>, value: unknown][] {
  const values = new Map<string, unknown>(Object.entries(effect));
  return Object.entries(EFFECTS).flatMap(([name, row]) => (values.get(name) === undefined ? [] : [[row, values.get(name)]]));
}
