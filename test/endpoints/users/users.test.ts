import { createHash } from 'node:crypto';
import {
  addUser,
  hashDatasetPassword,
  listUsers,
  removeUser,
  setAccountPassword,
  setApplicationPassword,
  signIn,
  verifyAccountPassword,
} from '../../../src/wordpress/users/users.js';
import { withDerivedColumns } from '../../../src/wordpress/posts/posts.js';
import { ZERO_DATE, type Post } from '../../../src/wordpress/model.js';
import { Store } from '../../../src/wordpress/store.js';
import { clearStore, testDatabase } from '../../support/database.js';
import { registry } from '../../support/registry.js';

const { uri, name } = testDatabase();
let store: Store;
beforeAll(async () => {
  store = await Store.open(uri, registry, name);
});
beforeEach(() => clearStore(store));
afterAll(() => store.close());

const post = (id: number, author: number): Post =>
  withDerivedColumns(
    {
      _id: id,
      type: 'tribe_venue',
      status: 'publish',
      author,
      title: `Venue ${id}`,
      content: '',
      excerpt: '',
      slug: `venue-${id}`,
      password: '',
      parent: 0,
      menuOrder: 0,
      date: ZERO_DATE,
      dateGmt: ZERO_DATE,
      modified: ZERO_DATE,
      modifiedGmt: ZERO_DATE,
      meta: [],
      terms: {},
      version: 3,
    },
    registry,
  );

const terms = { name: 'Test', keep: false, created: 1_800_000_000 };
const isSignedIn = async (login: string, password: string): Promise<boolean> => 'user' in (await signIn(store, login, password));

test('a new user gets the next id, and email, display name and nicename derived from the login', async () => {
  await addUser(store, { login: 'admin', role: 'administrator' });
  const user = await addUser(store, { login: 'Anna Bell', role: 'author' });
  expect(user).toEqual({
    _id: 2,
    login: 'Anna Bell',
    email: 'anna-bell@example.org',
    displayName: 'Anna Bell',
    nicename: 'anna-bell',
    url: '',
    role: 'author',
    applicationPasswords: [],
  });
  expect(await listUsers(store)).toMatchObject([{ login: 'admin' }, user]);
});

test('an id is not reused after its user is deleted', async () => {
  await addUser(store, { login: 'first', role: 'subscriber' });
  await addUser(store, { login: 'second', role: 'subscriber' });
  await removeUser(store, 'second');
  expect((await addUser(store, { login: 'third', role: 'subscriber' }))._id).toBe(3);
});

test('two logins with the same nicename', async () => {
  await addUser(store, { login: 'a.b', role: 'subscriber' });
  expect(await addUser(store, { login: 'a-b', role: 'subscriber' })).toMatchObject({ nicename: 'a-b-2', email: 'a-b-2@example.org' });
});

test.each([
  [{ login: '', role: 'editor' }, /Invalid login ""/],
  [{ login: 'a+b', role: 'editor' }, /Invalid login "a\+b"/],
  [{ login: 'ünal', role: 'editor' }, /Invalid login/],
  [{ login: 'two  spaces', role: 'editor' }, /Invalid login/],
  [{ login: 'x'.repeat(61), role: 'editor' }, /Invalid login/],
  [{ login: 'new', role: 'boss' }, /Unknown role boss/],
  [{ login: 'new', role: 'editor', email: 'nowhere' }, /Invalid email address nowhere/],
  [{ login: 'ANNA', role: 'editor' }, /User ANNA already exists/],
  [{ login: 'new', role: 'editor', email: 'Anna@Example.org' }, /belongs to another user/],
])('rejects %j', async (wanted, message) => {
  await addUser(store, { login: 'anna', role: 'author' });
  await expect(addUser(store, wanted)).rejects.toThrow(message);
  expect(await listUsers(store)).toHaveLength(1);
});

test('a new application password replaces the earlier ones unless they are kept', async () => {
  await addUser(store, { login: 'anna', role: 'author' });
  const first = await setApplicationPassword(store, 'anna', terms);
  const second = await setApplicationPassword(store, 'ANNA', terms);
  expect(await isSignedIn('anna', first)).toBe(false);
  expect(await isSignedIn('anna', second)).toBe(true);
  const third = await setApplicationPassword(store, 'anna@example.org', { ...terms, keep: true });
  expect([await isSignedIn('anna', second), await isSignedIn('anna', third)]).toEqual([true, true]);
  const [user] = await listUsers(store);
  expect(user.applicationPasswords).toMatchObject([
    { name: 'Test', created: terms.created },
    { name: 'Test', created: terms.created },
  ]);
  expect(JSON.stringify(user)).not.toContain(third);
});

test('an application password has over 140 random bits, and is stored as a salted hash', async () => {
  await addUser(store, { login: 'anna', role: 'author' });
  const made = await setApplicationPassword(store, 'anna', terms);
  expect(new Set(made.replaceAll(' ', '')).size).toBeGreaterThan(5);
  expect(made.replaceAll(' ', '')).toMatch(/^[A-Za-z0-9]{24}$/);
  expect(24 * Math.log2(62)).toBeGreaterThan(140);
  const stored = JSON.stringify(await store.users.findOne({ login: 'anna' }));
  expect(stored).not.toContain(made.replaceAll(' ', ''));
  expect(stored).not.toContain(createHash('sha256').update(made.replaceAll(' ', '')).digest('hex'));
});

test('an account password is hashed with scrypt and is not valid for the API', async () => {
  await addUser(store, { login: 'anna', role: 'author', accountPassword: 'first one' });
  await setAccountPassword(store, 'anna', 'second one');
  const [{ passwordHash = '' }] = await listUsers(store);
  expect(passwordHash).toMatch(/^scrypt:/);
  expect(await verifyAccountPassword(passwordHash, 'second one')).toBe(true);
  expect(await verifyAccountPassword(passwordHash, 'first one')).toBe(false);
  expect(await isSignedIn('anna', 'second one')).toBe(false);
});

test('an account password of a dataset is hashed once for each user', async () => {
  const hash = await hashDatasetPassword('anna', 'first one');
  expect(await verifyAccountPassword(hash, 'first one')).toBe(true);
  expect(await hashDatasetPassword('anna', 'first one')).toBe(hash);
  expect(await hashDatasetPassword('bert', 'first one')).not.toBe(hash);
  expect(await hashDatasetPassword('anna', 'second one')).not.toBe(hash);
});

test('deleting an author requires a user to reassign the posts to', async () => {
  const anna = await addUser(store, { login: 'anna', role: 'author' });
  const bert = await addUser(store, { login: 'bert', role: 'author' });
  await store.insert('posts', [post(1, anna._id), post(2, anna._id), post(3, bert._id)]);
  await expect(removeUser(store, 'anna')).rejects.toThrow('anna is the author of 2 posts');
  await expect(removeUser(store, 'anna', 'anna')).rejects.toThrow('to the same user');
  await expect(removeUser(store, 'anna', 'nobody')).rejects.toThrow('User nobody does not exist');
  expect(await removeUser(store, 'anna', 'bert')).toBe(2);
  expect((await listUsers(store)).map(({ login }) => login)).toEqual(['bert']);
  const posts = await store.posts.find({}).sort({ _id: 1 }).toArray();
  expect(posts.map(({ author, version }) => ({ author, version }))).toEqual([
    { author: bert._id, version: 4 },
    { author: bert._id, version: 4 },
    { author: bert._id, version: 3 },
  ]);
});

test.each([
  ['setApplicationPassword', () => setApplicationPassword(store, 'nobody', terms)],
  ['setAccountPassword', () => setAccountPassword(store, 'nobody', 'secret')],
  ['removeUser', () => removeUser(store, 'nobody')],
])('%s of an unknown user fails', async (_name, act) => {
  await expect(act()).rejects.toThrow('User nobody does not exist');
});
