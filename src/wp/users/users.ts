import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { removeAccents } from '../formatting/accents.js';
import { stripAllTags } from '../formatting/strip-tags.js';
import { ROLES } from './capabilities.js';
import { sanitizeTitle } from '../formatting/slug.js';
import type { ApplicationPassword, User } from '../model.js';
import { ANY_CASE } from '../../store/indexes.js';
import type { Store } from '../store.js';

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

/** WP: an application password is shown in groups of four. */
export const inGroups = (password: string): string => password.replace(/.{4}(?=.)/g, '$& ');

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
  removeAccents(stripAllTags(name))
    .replace(/%[0-9a-f]{2}|&[^;]{1,99};/gi, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The user of a login or e-mail address, however it is written (WP). */
export async function findUser(store: Store, name: string): Promise<User | null> {
  const byLogin = await store.users.findOne({ login: cleanLogin(name) }, { collation: ANY_CASE });
  return byLogin ?? (looksLikeEmail(name) ? store.users.findOne({ email: name }, { collation: ANY_CASE }) : null);
}

export type SignIn =
  { user: User; password: ApplicationPassword } | { refused: 'incorrect_password' | 'invalid_username' | 'invalid_email' };

/** Finds who signs in with an application password, by login or e-mail address (WP). */
export async function signIn(store: Store, name: string, password: string): Promise<SignIn> {
  const user = await findUser(store, name);
  if (!user) return { refused: looksLikeEmail(name) ? 'invalid_email' : 'invalid_username' };
  const wanted = normalisePassword(password);
  const used = user.applicationPasswords.find(({ hash }) => matches(hash, wanted));
  return used ? { user, password: used } : { refused: 'incorrect_password' };
}

/** Something that cannot be done with a user, in one line for people. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

export interface NewUser {
  login: string;
  role: string;
  /** Made from the login, at example.org, when absent. */
  email?: string | undefined;
  /** What others see; the login when absent. */
  displayName?: string | undefined;
  /** Password of the account, in clear text. */
  accountPassword?: string | undefined;
}

const LOGIN = /^[a-z0-9_.@-]+( [a-z0-9_.@-]+)*$/i;
const LONGEST_LOGIN = 60;
const LONGEST_NICENAME = 50;

/** Refuses what WordPress would refuse in a login, an address or a role. */
function checkUser({ login, role, email }: NewUser): void {
  if (!LOGIN.test(login) || login.length > LONGEST_LOGIN)
    throw new UserError(
      `${JSON.stringify(login)} is no login: it takes up to ${LONGEST_LOGIN} of the letters a to z, digits, single spaces and _ . - @`,
    );
  if (!ROLES.includes(role)) throw new UserError(`There is no role ${role}; there are ${ROLES.join(', ')}`);
  if (email !== undefined && !looksLikeEmail(email)) throw new UserError(`${email} is no e-mail address`);
}

async function knownUser(store: Store, login: string): Promise<User> {
  const user = await findUser(store, login);
  if (!user) throw new UserError(`There is no user ${login}`);
  return user;
}

const isTaken = async (store: Store, nicename: string): Promise<boolean> =>
  (await store.users.findOne({ nicename }, { projection: { _id: 1 } })) !== null;

/** WP: the login as it stands in addresses, with a number when somebody else has it. */
async function freeNicename(store: Store, login: string): Promise<string> {
  const wanted = sanitizeTitle(login.slice(0, LONGEST_NICENAME));
  let nicename = wanted;
  for (let number = 2; await isTaken(store, nicename); number += 1) nicename = `${wanted}-${number}`;
  return nicename;
}

async function nextUserId(store: Store): Promise<number> {
  const [last] = await store.users
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  await store.sequences.reserve('users', (last?._id ?? 0) + 1);
  return store.sequences.next('users');
}

/**
 * Creates a user, who has no application password yet.
 * @throws UserError when login or e-mail address are taken or WordPress would refuse them, or when there is no such role
 */
export async function addUser(store: Store, wanted: NewUser): Promise<User> {
  checkUser(wanted);
  const { login, role, displayName = login, accountPassword } = wanted;
  if (await findUser(store, login)) throw new UserError(`There is a user ${login} already`);
  const nicename = await freeNicename(store, login);
  const email = wanted.email ?? `${nicename}@example.org`;
  if (await findUser(store, email)) throw new UserError(`The e-mail address ${email} belongs to another user`);
  const user: User = {
    _id: await nextUserId(store),
    login,
    email,
    displayName,
    nicename,
    url: '',
    role,
    ...(accountPassword === undefined ? {} : { passwordHash: await hashAccountPassword(accountPassword) }),
    applicationPasswords: [],
  };
  await store.insert('users', [user]);
  return user;
}

/** All users, by id. */
export const listUsers = (store: Store): Promise<User[]> => store.users.find({}).sort({ _id: 1 }).toArray();

export interface PasswordTerms {
  /** What the password is for, in words. */
  name: string;
  /** Whether the user's earlier application passwords go on working. */
  keep: boolean;
  /** Epoch seconds. */
  created: number;
}

/**
 * Gives a user a new application password.
 * @returns it in clear text; only its hash is kept
 * @throws UserError when there is no such user
 */
export async function setApplicationPassword(store: Store, login: string, { name, keep, created }: PasswordTerms): Promise<string> {
  const user = await knownUser(store, login);
  const password = generatePassword();
  const entry = newApplicationPassword(name, password, created);
  await store.users.updateOne(
    { _id: user._id },
    keep ? { $push: { applicationPasswords: entry } } : { $set: { applicationPasswords: [entry] } },
  );
  return password;
}

/** Sets the password of a user's account. @throws UserError when there is no such user */
export async function setAccountPassword(store: Store, login: string, password: string): Promise<void> {
  const user = await knownUser(store, login);
  await store.users.updateOne({ _id: user._id }, { $set: { passwordHash: await hashAccountPassword(password) } });
}

/**
 * Removes a user. What they wrote goes to somebody else; as long as nobody is named for it, the user stays.
 * @returns how many posts changed hands
 * @throws UserError when either user does not exist, or when posts would be left without an author
 */
export async function removeUser(store: Store, login: string, heirLogin?: string): Promise<number> {
  const user = await knownUser(store, login);
  const heir = heirLogin === undefined ? null : await knownUser(store, heirLogin);
  if (heir?._id === user._id) throw new UserError(`${login} cannot hand their posts to themselves`);
  const written = await store.posts.countDocuments({ author: user._id });
  if (written > 0 && !heir)
    throw new UserError(`${login} is the author of ${written} ${written === 1 ? 'post' : 'posts'}; say who gets them: --reassign LOGIN`);
  if (heir) await store.posts.updateMany({ author: user._id }, { $set: { author: heir._id }, $inc: { version: 1 } });
  await store.users.deleteOne({ _id: user._id });
  return written;
}
