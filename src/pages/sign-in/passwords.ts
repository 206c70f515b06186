import { createHash } from 'node:crypto';
import { NO_CACHE, type PageRequest, type PageResponse } from '../../rest/page.js';
import type { Post } from '../../wp/model.js';
import { isSame, signature, siteSecret } from '../../wp/users/secrets.js';
import type { Cookie } from '../../wp/users/sessions.js';
import type { Site } from '../../wp/site.js';
import { redirect } from '../layout.js';
import { field, isForeignForm, ownAddress } from './own-address.js';

/** WP: how long an entered password is remembered, seconds. */
const TEN_DAYS = 10 * 24 * 3600;

const cookieName = ({ url }: Site): string => `wp-postpass_${createHash('md5').update(url).digest('hex')}`;

const proofOf = async (site: Site, password: string): Promise<string> => signature(await siteSecret(site.store), 'post password', password);

/** What a reader has shown of a password that keeps a post: nothing, another one, or the right one. */
export type Unlocking = 'open' | 'locked' | 'wrong';

/** Whether the contents of a post are open to whoever sent these cookies. WP: one password at a time, for all posts that have it. */
export async function unlocking(site: Site, post: Pick<Post, 'password'>, { cookies }: Pick<PageRequest, 'cookies'>): Promise<Unlocking> {
  if (post.password === '') return 'open';
  const name = cookieName(site);
  if (!Object.hasOwn(cookies, name)) return 'locked';
  return isSame(cookies[name], await proofOf(site, post.password)) ? 'open' : 'wrong';
}

/** Takes the password of a form and sends the reader back to where it was asked for (WP: `wp-login.php?action=postpass`). */
export async function takePassword(site: Site, request: PageRequest): Promise<PageResponse> {
  const { pathname } = new URL(`${site.url}/`);
  const back = ownAddress(site, field(request, 'redirect_to') || request.headers.referer, `${site.url}/`);
  const password = field(request, 'post_password');
  if (request.method !== 'POST' || isForeignForm(site, request) || password === '') return redirect(302, back, NO_CACHE);
  const cookie: Cookie = {
    name: cookieName(site),
    value: await proofOf(site, password),
    path: pathname,
    maxAge: TEN_DAYS,
    secure: site.url.startsWith('https:'),
  };
  return { ...redirect(302, back, NO_CACHE), cookies: [cookie] };
}
