import { createHash } from 'node:crypto';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../rest/page.js';
import type { Post } from '../../wp/model.js';
import { isSame, signature, siteSecret } from '../../wp/users/secrets.js';
import type { Cookie } from '../../wp/users/sessions.js';
import type { Site } from '../../wp/site.js';
import { html } from '../../views/html.js';
import { fillHtml, readingOf, type Reading } from '../../views/reading.js';
import { framed, redirect } from '../layout.js';
import { field, isForeignForm, ownAddress } from './own-address.js';

/** WP: how long an entered password is remembered, seconds. */
const TEN_DAYS = 10 * 24 * 3600;

const cookieName = ({ url }: Site): string => `wp-postpass_${createHash('md5').update(url).digest('hex')}`;

const proofOf = async (site: Site, password: string): Promise<string> => signature(await siteSecret(site.store), 'post password', password);

/** The state of a reader's password for a post: none, wrong or right. */
export type Unlocking = 'open' | 'locked' | 'wrong';

/** Whether these cookies unlock a post. WP: they hold one password at a time, for all posts with it. */
export async function unlocking(site: Site, post: Pick<Post, 'password'>, { cookies }: Pick<PageRequest, 'cookies'>): Promise<Unlocking> {
  if (post.password === '') return 'open';
  const name = cookieName(site);
  if (!Object.hasOwn(cookies, name)) return 'locked';
  return isSame(cookies[name], await proofOf(site, post.password)) ? 'open' : 'wrong';
}

/** The form does not say which post its password is for. */
const ANY_POST = '';

/** Counts a wrong password. @returns seconds to wait until the password is checked */
async function waitAfter({ chosen, store }: Site, password: string, address: string): Promise<number> {
  const guard = chosen.guards.posts;
  const wait = guard.wait(ANY_POST, address);
  if (guard.attempts === 0 || wait > 0) return wait;
  const isRight = await store.posts.findOne({ password }, { projection: { _id: 1 } });
  if (isRight) guard.succeeded(ANY_POST, address);
  else guard.failed(ANY_POST, address);
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
export async function takePassword(site: Site, request: PageRequest): Promise<PageResponse> {
  const { pathname } = new URL(`${site.url}/`);
  const back = ownAddress(site, field(request, 'redirect_to') || request.headers.referer, `${site.url}/`);
  const password = field(request, 'post_password');
  if (request.method !== 'POST' || isForeignForm(site, request) || password === '') return redirect(302, back, NO_CACHE);
  const { posts: guard } = site.chosen.guards;
  const wait = await guard.inTurn(ANY_POST, request.address, () => waitAfter(site, password, request.address));
  if (wait > 0) return tooManyAttempts(readingOf(site, request, null), wait);
  const cookie: Cookie = {
    name: cookieName(site),
    value: await proofOf(site, password),
    path: pathname,
    maxAge: TEN_DAYS,
    secure: site.url.startsWith('https:'),
  };
  return { ...redirect(302, back, NO_CACHE), cookies: [cookie] };
}
