import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../store.js';

/** Option with the site's signing key, hex. It is never sent to clients. */
export const SECRET_OPTION = 'understudy_secret';

const known = new WeakMap<Store, Promise<string>>();

const generateSecret = (): string => randomBytes(32).toString('hex');

async function findOrCreate(store: Store): Promise<string> {
  const created = generateSecret();
  const row = await store.options.findOneAndUpdate(
    { _id: SECRET_OPTION },
    { $setOnInsert: { value: created } },
    { upsert: true, returnDocument: 'after' },
  );
  return typeof row?.value === 'string' ? row.value : created;
}

/** The key for signing sessions and nonces, generated on first use. */
export function siteSecret(store: Store): Promise<string> {
  // In a shared database, another process may have changed the key by a reset.
  if (store.shared) return findOrCreate(store);
  const found = known.get(store) ?? findOrCreate(store);
  known.set(store, found);
  found.catch(() => known.delete(store));
  return found;
}

/** Like `siteSecret`, but does not store a generated key. */
export async function currentSecret(store: Store): Promise<string> {
  if (!store.shared && known.has(store)) return siteSecret(store);
  const row = await store.options.findOne({ _id: SECRET_OPTION });
  return typeof row?.value === 'string' ? row.value : generateSecret();
}

/** HMAC-SHA-256 of the parts, in hex. The encoding is unambiguous for any parts. */
export const signature = (key: string, ...parts: (string | number)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

/** Compares strings of the same length in constant time. */
export function isSame(sent: string, right: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
