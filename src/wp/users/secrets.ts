import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../store.js';

/** Option that holds the key of all signatures of a site, hex. It never leaves the server. */
export const SECRET_OPTION = 'understudy_secret';

const known = new WeakMap<Store, Promise<string>>();

const makeSecret = (): string => randomBytes(32).toString('hex');

async function findOrMake(store: Store): Promise<string> {
  const made = makeSecret();
  const row = await store.options.findOneAndUpdate(
    { _id: SECRET_OPTION },
    { $setOnInsert: { value: made } },
    { upsert: true, returnDocument: 'after' },
  );
  return typeof row?.value === 'string' ? row.value : made;
}

/** The key with which a site signs sessions and nonces; made when it is first asked for. */
export function siteSecret(store: Store): Promise<string> {
  // Where others write too, a reset of theirs may have brought another key.
  if (store.shared) return findOrMake(store);
  const found = known.get(store) ?? findOrMake(store);
  known.set(store, found);
  found.catch(() => known.delete(store));
  return found;
}

/** The same without storing anything: a new key when there is none. */
export async function currentSecret(store: Store): Promise<string> {
  if (!store.shared && known.has(store)) return siteSecret(store);
  const row = await store.options.findOne({ _id: SECRET_OPTION });
  return typeof row?.value === 'string' ? row.value : makeSecret();
}

/** A keyed signature (HMAC, SHA-256) in hex. The parts may hold anything: none of them can pass for two. */
export const signature = (key: string, ...parts: (string | number)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

/** Compares what was sent with what is right, in a time that says nothing about where they differ. */
export function isSame(sent: string, right: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
