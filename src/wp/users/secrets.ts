import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../store.js';

/** Option with the site's signing key, hex. It is never sent to clients. */
export const SECRET_OPTION = 'understudy_secret';

const generateSecret = (): string => randomBytes(32).toString('hex');

async function stored({ options }: Store): Promise<string | undefined> {
  const row = await options.findOne({ _id: SECRET_OPTION });
  return typeof row?.value === 'string' ? row.value : undefined;
}

async function findOrCreate(store: Store): Promise<string> {
  const known = await stored(store);
  if (known !== undefined) return known;
  const created = generateSecret();
  await store.options.updateOne({ _id: SECRET_OPTION }, { $setOnInsert: { value: created } }, { upsert: true });
  return (await stored(store)) ?? created;
}

/** The key for signing sessions and nonces, generated on first use. */
export const siteSecret = (store: Store): Promise<string> => store.cache.remember('secret', () => findOrCreate(store), 'options');

/** Like `siteSecret`, but does not store a generated key. */
export const currentSecret = async (store: Store): Promise<string> => (await stored(store)) ?? generateSecret();

/** HMAC-SHA-256 of the parts, in hex. The encoding is unambiguous for any parts. */
export const signature = (key: string, ...parts: (string | number)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

/** Compares strings of the same length in constant time. */
export function isSame(sent: string, right: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
