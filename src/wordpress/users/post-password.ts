import type { Post } from '../model.js';
import type { SignInGuard } from './sign-in-guard.js';

type Protected = Pick<Post, '_id' | 'password'>;

/** Decides whether password-protected content may be shown. */
export interface PostOpener {
  /** Whether it opens a post with a password. */
  opens: (post: Protected) => boolean;
}

interface Decision {
  isOpen: boolean;
  /** Seconds until a password is checked again; 0: it was checked. */
  wait: number;
}

/**
 * A password for posts that came with a request, in a parameter or a cookie. The only place that compares passwords of posts: each post
 * is decided once per request, and failures are counted by post and address.
 */
export class PostPassword implements PostOpener {
  private readonly decisions = new Map<number, Decision>();

  /**
   * @param guess what was sent, to recognize it
   * @param isRight whether it is a password of a post
   */
  constructor(
    private readonly guard: SignInGuard,
    private readonly address: string,
    private readonly guess: string,
    private readonly isRight: (password: string) => boolean,
  ) {}

  /** A post that the request does not name, such as one in a list: the same wrong password again does not count. */
  opens(post: Protected): boolean {
    return this.decide(post, this.guess).isOpen;
  }

  /** The post that the request names. @returns seconds until its password is checked; 0: it was */
  waitAt(post: Protected): number {
    return this.decide(post).wait;
  }

  private decide(post: Protected, guess?: string): Decision {
    const known = this.decisions.get(post._id);
    if (known) return known;
    const key = String(post._id);
    const wait = this.guard.wait(key, this.address);
    const isOpen = wait === 0 && this.isRight(post.password);
    if (isOpen) this.guard.succeeded(key, this.address);
    else if (wait === 0) this.guard.failed(key, this.address, guess);
    const decision = { isOpen, wait };
    this.decisions.set(post._id, decision);
    return decision;
  }
}
