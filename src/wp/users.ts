import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { ApplicationPassword, User } from './model.js';
import { ANY_CASE, type Store } from './store.js';

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);

/** WP: whatever is no letter or digit is stripped from an application password, so that it may be typed in groups. */
export const normalisePassword = (password: string): string => password.replace(/[^a-zA-Z0-9]/g, '');

function digest(salt: string, password: string): Buffer {
  return createHash('sha256').update(salt).update(password).digest();
}

/** A salted fast hash: application passwords are long and random, so nothing is gained by a slow one. */
export function hashApplicationPassword(password: string): string {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${digest(salt, normalisePassword(password)).toString('hex')}`;
}

function matches(hash: string, password: string): boolean {
  const [salt, expected] = hash.split(':');
  return timingSafeEqual(digest(salt, password), Buffer.from(expected, 'hex'));
}

/** A new random application password: 24 letters and digits, over 140 bits. */
export function generatePassword(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let password = '';
  while (password.length < 24) {
    for (const byte of randomBytes(32)) if (byte < 248 && password.length < 24) password += alphabet[byte % 62];
  }
  return password;
}

export const newApplicationPassword = (name: string, password: string, created: number): ApplicationPassword => ({
  uuid: randomUUID(),
  name,
  hash: hashApplicationPassword(password),
  created,
});

/** Account passwords are chosen by people: scrypt. */
export async function hashAccountPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt:${salt.toString('hex')}:${(await deriveKey(password, salt, 32)).toString('hex')}`;
}

export async function verifyAccountPassword(hash: string, password: string): Promise<boolean> {
  const [scheme, salt, expected] = hash.split(':');
  if (scheme !== 'scrypt') return false;
  return timingSafeEqual(await deriveKey(password, Buffer.from(salt, 'hex'), 32), Buffer.from(expected, 'hex'));
}

export const looksLikeEmail = (text: string): boolean => /^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(text);

/** A login as it is looked up: without tags, accents, percent-triplets and entities, blanks collapsed (WP). */
const cleanLogin = (name: string): string =>
  removeAccents(stripTags(name))
    .replace(/%[0-9a-f]{2}|&.+?;/gi, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The user of a login or e-mail address, however it is written (WP). */
export async function findUser(store: Store, name: string): Promise<User | null> {
  const byLogin = await store.users.findOne({ login: cleanLogin(name) }, { collation: ANY_CASE });
  return byLogin ?? (looksLikeEmail(name) ? store.users.findOne({ email: name }, { collation: ANY_CASE }) : null);
}

export type SignIn = { user: User } | { refused: 'incorrect_password' | 'invalid_username' | 'invalid_email' };

/** Finds who signs in with an application password, by login or e-mail address (WP). */
export async function signIn(store: Store, name: string, password: string): Promise<SignIn> {
  const user = await findUser(store, name);
  if (!user) return { refused: looksLikeEmail(name) ? 'invalid_email' : 'invalid_username' };
  const wanted = normalisePassword(password);
  return user.applicationPasswords.some(({ hash }) => matches(hash, wanted)) ? { user } : { refused: 'incorrect_password' };
}
