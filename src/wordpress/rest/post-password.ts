import { PostPassword } from '../users/post-password.js';
import { isSame } from '../users/secrets.js';
import type { Post } from '../model.js';
import type { Site } from '../site.js';
import { TooManyAttempts } from './route.js';
import type { RestRequest } from './request.js';

/** The password for posts that came with a request; null: none. It is the same for all that ask for it in one request. */
export function sentPassword(request: RestRequest, site: Site, value: unknown = request.get('password')): PostPassword | null {
  if (typeof value !== 'string' || value === '') return null;
  const known = request.passwords.get(value);
  if (known) return known;
  const password = new PostPassword(site.chosen.guards.posts, request.address, value, (right) => isSame(value, right));
  request.passwords.set(value, password);
  return password;
}

/** The error if too many wrong passwords were sent for the post that a request names; null: the password was checked. */
export function tooManyGuesses(password: PostPassword | null, post: Post): TooManyAttempts | null {
  const wait = post.password === '' ? 0 : (password?.waitAt(post) ?? 0);
  return wait > 0 ? new TooManyAttempts(wait) : null;
}
