import type { ApplicationPassword, User } from '../model.js';
import type { Store } from '../store.js';
import { generatePassword, newApplicationPassword } from './users.js';

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
