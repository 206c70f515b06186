import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { removeAccents } from '../formatting/accents.js';
import { stripAllTags } from '../formatting/strip-tags.js';
import { ROLES } from './capabilities.js';
import { sanitizeTitle } from '../formatting/sanitize.js';
import type { ApplicationPassword, User } from '../model.js';
import { ANY_CASE } from '../../database/store/indexes.js';
import { Lru } from '../../database/memory/lru.js';
import type { Store } from '../store.js';

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);

/** WP: removes everything but letters and digits from an application password, since it is displayed in groups. */
export const normalizePassword = (password: string): string => password.replace(/[^a-zA-Z0-9]/g, '');

function digest(salt: string, password: string): Buffer {
  return createHash('sha256').update(salt).update(password).digest();
}

/** A fast salted hash: application passwords are long and random, so a slow hash is not needed. */
function hashApplicationPassword(password: string): string {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${digest(salt, normalizePassword(password)).toString('hex')}`;
}

function matches(hash: string, password: string): boolean {
  const [salt, expected] = hash.split(':');
  return timingSafeEqual(digest(salt, password), Buffer.from(expected, 'hex'));
}

/** Generates an application password: 24 random letters and digits, over 140 bits. */
export function generatePassword(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let password = '';
  while (password.length < 24) {
    for (const byte of randomBytes(32)) if (byte < 248 && password.length < 24) password += alphabet[byte % 62];
  }
  return password;
}

/** WP: formats an application password in groups of four characters. */
export const inGroups = (password: string): string => password.replace(/.{4}(?=.)/g, '$& ');

/** Name of the application password that the first start sets. */
export const FIRST_START = 'First start';

export const newApplicationPassword = (name: string, password: string, created: number): ApplicationPassword => ({
  uuid: randomUUID(),
  name,
  hash: hashApplicationPassword(password),
  created,
});

/** A slow hash (scrypt), since account passwords are chosen by people. */
export async function hashAccountPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt:${salt.toString('hex')}:${(await deriveKey(password, salt, 32)).toString('hex')}`;
}

/** Hashes of passwords that datasets contain, by salted digests of logins and passwords. */
const datasetHashes = new Lru<Promise<string>>(64 * 1024);
const datasetSalt = randomBytes(16).toString('hex');

/**
 * The same hash for an account password that a dataset contains in plain text. Datasets are loaded over and over, for each test or server
 * of a process, so a user's password is hashed once.
 */
export function hashDatasetPassword(login: string, password: string): Promise<string> {
  const key = digest(datasetSalt, JSON.stringify([login, password])).toString('hex');
  const known = datasetHashes.get(key);
  if (known) return known;
  const hash = hashAccountPassword(password);
  datasetHashes.set(key, hash, 128);
  return hash;
}

export async function verifyAccountPassword(hash: string, password: string): Promise<boolean> {
  const [scheme, salt, expected] = hash.split(':');
  if (scheme !== 'scrypt' || Buffer.byteLength(password) > LONGEST) return false;
  return timingSafeEqual(await deriveKey(password, Buffer.from(salt, 'hex'), 32), Buffer.from(expected, 'hex'));
}

export const looksLikeEmail = (text: string): boolean => /^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(text);

/** Sanitizes a login for lookup: removes tags, accents, percent-encoded octets and entities, collapses whitespace (WP). */
const cleanLogin = (name: string): string =>
  removeAccents(stripAllTags(name))
    .replace(/%[0-9a-f]{2}|&[^;]{1,99};/gi, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Longer names and passwords are nobody's. WP: logins have up to 60 characters, email addresses 100, passwords 4096 bytes. */
const LONGEST = 4_096;

/** Finds a user by login or email address, ignoring case (WP). Do not modify it. */
export const findUser = async (store: Store, name: string): Promise<User | null> =>
  name.length > LONGEST ? null : store.cache.remember(`user ${name}`, () => lookUpUser(store, name), 'users');

async function lookUpUser(store: Store, name: string): Promise<User | null> {
  const byLogin = await store.users.findOne({ login: cleanLogin(name) }, { collation: ANY_CASE });
  return byLogin ?? (looksLikeEmail(name) ? store.users.findOne({ email: name }, { collation: ANY_CASE }) : null);
}

export type SignIn =
  | { user: User; password: ApplicationPassword }
  | { refused: 'incorrect_password' | 'invalid_username' | 'invalid_email' };

/** Checks a login or email address and an application password (WP). */
export async function signIn(store: Store, name: string, password: string): Promise<SignIn> {
  const user = await findUser(store, name);
  if (!user) return { refused: looksLikeEmail(name) ? 'invalid_email' : 'invalid_username' };
  const wanted = normalizePassword(password);
  const used = user.applicationPasswords.find(({ hash }) => matches(hash, wanted));
  return used ? { user, password: used } : { refused: 'incorrect_password' };
}

export function hasPassword({ applicationPasswords }: User, password: string): boolean {
  const wanted = normalizePassword(password);
  return applicationPasswords.some(({ hash }) => matches(hash, wanted));
}

/** Hashes of the passwords that are valid on pages: the account's, or for users without one the first start's. */
export const pageCredentials = ({ passwordHash, applicationPasswords }: User): readonly string[] =>
  passwordHash === undefined ? applicationPasswords.flatMap(({ name, hash }) => (name === FIRST_START ? [hash] : [])) : [passwordHash];

/** The hash of the password of the first start, if that is the password and good for pages. */
export const firstStartCredential = (user: User, password: string): string | undefined =>
  user.passwordHash === undefined ? pageCredentials(user).find((hash) => matches(hash, normalizePassword(password))) : undefined;

/** By what failed sign-ins are counted: the account, however its login or email address is spelled. @param user the one that was found */
export const accountOf = (user: User | null, name: string): string => user?.login ?? cleanLogin(name);

/** An operation on a user failed. The message is one line. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

interface NewUser {
  login: string;
  role: string;
  /** Default: the login at example.org. */
  email?: string | undefined;
  /** Default: the login. */
  displayName?: string | undefined;
  /** In plain text. */
  accountPassword?: string | undefined;
}

const LOGIN = /^[a-z0-9_.@-]+( [a-z0-9_.@-]+)*$/i;
const MAX_LOGIN_LENGTH = 60;
const MAX_NICENAME_LENGTH = 50;

/** @throws UserError if WordPress would reject the login, email address or role */
function checkUser({ login, role, email }: NewUser): void {
  if (!LOGIN.test(login) || login.length > MAX_LOGIN_LENGTH)
    throw new UserError(
      `Invalid login ${JSON.stringify(login)}. Use up to ${MAX_LOGIN_LENGTH} letters a to z, digits, single spaces and _ . - @`,
    );
  if (!ROLES.includes(role)) throw new UserError(`Unknown role ${role}. Use one of ${ROLES.join(', ')}`);
  if (email !== undefined && !looksLikeEmail(email)) throw new UserError(`Invalid email address ${email}`);
}

async function knownUser(store: Store, login: string): Promise<User> {
  const user = await findUser(store, login);
  if (!user) throw new UserError(`User ${login} does not exist`);
  return user;
}

const isTaken = async (store: Store, nicename: string): Promise<boolean> =>
  (await store.users.findOne({ nicename }, { projection: { _id: 1 } })) !== null;

/** WP: the login as a slug, with a number if it is taken. */
async function freeNicename(store: Store, login: string): Promise<string> {
  const wanted = sanitizeTitle(login.slice(0, MAX_NICENAME_LENGTH));
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
 * Creates a user without application passwords.
 * @throws UserError if the login or email address is taken or invalid, or the role does not exist
 */
export async function addUser(store: Store, wanted: NewUser): Promise<User> {
  checkUser(wanted);
  const { login, role, displayName = login, accountPassword } = wanted;
  if (await findUser(store, login)) throw new UserError(`User ${login} already exists`);
  const nicename = await freeNicename(store, login);
  const email = wanted.email ?? `${nicename}@example.org`;
  if (await findUser(store, email)) throw new UserError(`The email address ${email} belongs to another user`);
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

export const listUsers = (store: Store): Promise<User[]> => store.users.find({}).sort({ _id: 1 }).toArray();

interface NewPassword {
  /** Describes what the password is for. */
  name: string;
  /** Whether to keep the user's existing application passwords. */
  keep: boolean;
  /** Epoch seconds. */
  created: number;
}

/**
 * Creates an application password for a user.
 * @returns it in plain text; only its hash is stored
 * @throws UserError if the user does not exist
 */
export async function setApplicationPassword(store: Store, login: string, { name, keep, created }: NewPassword): Promise<string> {
  const user = await knownUser(store, login);
  const password = generatePassword();
  const entry = newApplicationPassword(name, password, created);
  await store.users.updateOne(
    { _id: user._id },
    keep ? { $push: { applicationPasswords: entry } } : { $set: { applicationPasswords: [entry] } },
  );
  return password;
}

/** Sets the password of a user's account. @throws UserError if the user does not exist */
export async function setAccountPassword(store: Store, login: string, password: string): Promise<void> {
  const user = await knownUser(store, login);
  await store.users.updateOne({ _id: user._id }, { $set: { passwordHash: await hashAccountPassword(password) } });
}

/** Gives the posts of a user to another one. @returns when that is stored */
export const reassignPosts = (store: Store, from: number, to: number): Promise<unknown> =>
  store.posts.updateMany({ author: from }, { $set: { author: to }, $inc: { version: 1 } });

/**
 * Removes a user and reassigns the user's posts.
 * @param heirLogin the new author; required if the user has posts
 * @returns number of reassigned posts
 * @throws UserError if either user does not exist, or posts would be left without an author
 */
export async function removeUser(store: Store, login: string, heirLogin?: string): Promise<number> {
  const user = await knownUser(store, login);
  const heir = heirLogin === undefined ? null : await knownUser(store, heirLogin);
  if (heir?._id === user._id) throw new UserError(`Cannot reassign the posts of ${login} to the same user`);
  const written = await store.posts.countDocuments({ author: user._id });
  if (written > 0 && !heir)
    throw new UserError(`${login} is the author of ${written} ${written === 1 ? 'post' : 'posts'}. Name the new author: --reassign LOGIN`);
  if (heir) await reassignPosts(store, user._id, heir._id);
  await store.users.deleteOne({ _id: user._id });
  return written;
}

const DAY = 24 * 3600;

interface NewApplicationPassword {
  name: string;
  /** UUID of the application, or empty. */
  appId: string;
  /** Epoch seconds. */
  created: number;
}

/** Adds an application password to a user. @returns it in plain text, which is not stored */
export async function addApplicationPassword(
  store: Store,
  userId: number,
  { name, appId, created }: NewApplicationPassword,
): Promise<{ entry: ApplicationPassword; password: string }> {
  const password = generatePassword();
  const entry = { ...newApplicationPassword(name, password, created), ...(appId === '' ? {} : { appId }) };
  await store.users.updateOne({ _id: userId }, { $push: { applicationPasswords: entry } });
  return { entry, password };
}

export async function renameApplicationPassword(store: Store, userId: number, uuid: string, name: string): Promise<void> {
  await store.users.updateOne({ _id: userId, 'applicationPasswords.uuid': uuid }, { $set: { 'applicationPasswords.$.name': name } });
}

/** Deletes an application password, with effect from the next request. */
export async function deleteApplicationPassword(store: Store, userId: number, uuid: string): Promise<void> {
  await store.users.updateOne({ _id: userId }, { $pull: { applicationPasswords: { uuid } } });
}

export async function deleteApplicationPasswords(store: Store, userId: number): Promise<void> {
  await store.users.updateOne({ _id: userId }, { $set: { applicationPasswords: [] } });
}

/** Records the use of a password. WP: once a day, to avoid a write per request. @param now epoch seconds */
export async function recordUse(
  store: Store,
  { _id }: User,
  { uuid, lastUsed }: ApplicationPassword,
  now: number,
  address: string,
): Promise<void> {
  if (lastUsed !== undefined && lastUsed + DAY > now && lastUsed <= now) return;
  await store.users.updateOne(
    { _id, 'applicationPasswords.uuid': uuid },
    { $set: { 'applicationPasswords.$.lastUsed': now, 'applicationPasswords.$.lastIp': address } },
  );
}
