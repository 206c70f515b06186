import { createHash } from 'node:crypto';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../rest/request.js';
import type { Post } from '../../model.js';
import { PostPassword, type PostOpener } from '../../users/post-password.js';
import { isSame, signed, signerOf } from '../../users/secrets.js';
import type { Cookie } from '../../users/sessions.js';
import type { Site } from '../../site.js';
import { html } from '../../views/html.js';
import { fillHtml, type Reading } from '../../views/reading.js';
import { framed, redirect } from '../layout.js';
import { field, isForeignForm, ownAddress } from './own-address.js';

/** WP: how long an entered password is remembered, seconds. */
const TEN_DAYS = 10 * 24 * 3600;

const cookieName = ({ url }: Site): string => `wp-postpass_${createHash('md5').update(url).digest('hex')}`;

const proofOf = (site: Site, password: string): Promise<string> => signed(site, 'post password', password);

/** The state of a reader's password for a post: none, wrong or right. */
export type Unlocking = 'open' | 'locked' | 'wrong';

/** The password in the cookies of a request; null: none. WP: they hold one at a time, for all posts with it. */
export async function cookiePassword(
  site: Site,
  { cookies, address }: Pick<PageRequest, 'cookies' | 'address'>,
): Promise<PostPassword | null> {
  const name = cookieName(site);
  if (!Object.hasOwn(cookies, name)) return null;
  const { [name]: sent } = cookies;
  const sign = await signerOf(site);
  return new PostPassword(site.chosen.guards.posts, address, sent, (right) => isSame(sent, sign('post password', right)));
}

/** Too many wrong passwords were sent for a post. */
class TooManyGuesses extends Error {
  /** @param wait seconds */
  constructor(readonly wait: number) {
    super('Too many wrong passwords.');
  }
}

/** The response to an error that may be `TooManyGuesses`; other errors are rethrown. */
export function refuseGuesses(error: unknown, reading: Reading): PageResponse {
  if (error instanceof TooManyGuesses) return tooManyAttempts(reading, error.wait);
  throw error;
}

/** Whether the cookies of a request unlock a post, and what opens it. @throws TooManyGuesses */
export async function unlocking(site: Site, post: Post, request: PageRequest): Promise<{ state: Unlocking; password: PostOpener | null }> {
  if (post.password === '') return { state: 'open', password: null };
  const password = await cookiePassword(site, request);
  if (password === null) return { state: 'locked', password };
  const state = password.opens(post) ? 'open' : 'wrong';
  const wait = password.waitAt(post);
  if (wait > 0) throw new TooManyGuesses(wait);
  return { state, password };
}

/** The form does not say which post its password is for. */
const ANY_POST = '';

/**
 * Counts a password that no post has. The right one of a post clears no count: it says nothing about guesses at others.
 * @returns seconds to wait until the password is checked
 */
async function waitAfter({ chosen, store }: Site, password: string, address: string): Promise<number> {
  const guard = chosen.guards.posts;
  const wait = guard.wait(ANY_POST, address);
  if (guard.attempts === 0 || wait > 0) return wait;
  if (!(await store.posts.findOne({ password }, { projection: { _id: 1 } }))) guard.failed(ANY_POST, address);
  return 0;
}

function tooManyAttempts(reading: Reading, wait: number): PageResponse {
  const main = html`<p class="alert" role="alert">${fillHtml(reading.texts.tooManyAttempts, { time: reading.dates.seconds(wait) })}</p>`;
  return framed(
    reading,
    429,
    { title: reading.texts.password, main, isPublic: false, isNarrow: true },
    { ...NO_CACHE, 'Retry-After': String(wait) },
  );
}

/** Stores the password of a form and redirects back to the post (WP: `wp-login.php?action=postpass`). */
export async function takePassword(anonymous: Reading): Promise<PageResponse> {
  const { site, request } = anonymous;
  const { pathname } = new URL(`${site.url}/`);
  const back = ownAddress(site, field(request, 'redirect_to') || request.headers.referer, `${site.url}/`);
  const password = field(request, 'post_password');
  if (request.method !== 'POST' || isForeignForm(site, request) || password === '') return redirect(302, back, NO_CACHE);
  const { posts: guard } = site.chosen.guards;
  const wait = await guard.inTurn(ANY_POST, request.address, () => waitAfter(site, password, request.address));
  if (wait > 0) return tooManyAttempts(anonymous, wait);
  const cookie: Cookie = {
    name: cookieName(site),
    value: await proofOf(site, password),
    path: pathname,
    maxAge: TEN_DAYS,
    secure: site.url.startsWith('https:'),
  };
  return { ...redirect(302, back, NO_CACHE), cookies: [cookie] };
}
