import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Site } from '../site.js';

/** Things that a site signs. Tests check for each that no other site accepts it. */
export const SIGNED = ['session', 'nonce', 'post password'] as const;

type Signing = [what: (typeof SIGNED)[number], ...parts: (string | number)[]];

/**
 * Signs parts for a site: HMAC-SHA-256 in hex, with the key of its database, which no sandbox, backup or export has. Cookies are named after
 * the URL of the site, and it is signed, too. The encoding is unambiguous for any parts.
 */
export async function signerOf({ store, url }: Pick<Site, 'store' | 'url'>): Promise<(...signing: Signing) => string> {
  const key = await store.key.get();
  return (what, ...parts) =>
    createHmac('sha256', key)
      .update(JSON.stringify([what, url, ...parts]))
      .digest('hex');
}

/** The same for a single signature. */
export const signed = async (site: Pick<Site, 'store' | 'url'>, ...signing: Signing): Promise<string> => (await signerOf(site))(...signing);

/** Compares strings of the same length in constant time. */
export function isSame(sent: string, right: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
