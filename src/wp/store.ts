import { Connection } from '../store/connection.js';
import { Database, type DatabaseLocation } from '../store/database.js';
import type { Write } from '../store/observe.js';
import { indexes } from './indexes.js';
import type { Post, Term, User } from './model.js';
import { NextPublication } from './next-publication.js';

/** One site option. WP: a row of `wp_options`. */
export interface OptionDocument {
  _id: string;
  value: unknown;
}

/** The content of a site in its database. */
export class Store extends Database {
  readonly posts = this.collection<Post>('posts');
  readonly terms = this.collection<Term>('terms');
  readonly users = this.collection<User>('users');
  readonly options = this.collection<OptionDocument>('options');
  readonly nextPublication = new NextPublication(this.posts);

  private constructor(location: DatabaseLocation) {
    super(location, indexes());
  }

  /**
   * Connects, and creates the indexes that are missing.
   * @param uri a MongoDB connection string
   * @param name database to use; the one in the string, or `understudy`, when absent
   * @param shared true when other processes write to it
   * @throws EngineError when the server does not respond or rejects the connection
   */
  static async open(uri: string, name?: string, shared = false): Promise<Store> {
    return new Store({ connection: await Connection.open(uri), name, shared, ownsConnection: true }).prepare();
  }

  /** The store of another database of the same server, over the same connection. */
  sibling(name: string): Promise<Store> {
    return new Store(this.siblingLocation(name)).prepare();
  }

  /** True when nothing was ever stored here. */
  async isEmpty(): Promise<boolean> {
    return (await this.options.findOne({}, { projection: { _id: 1 } })) === null;
  }

  /**
   * Replaces a post by what is made of it. Optimistic locking: retries on a version conflict.
   * @returns the post before and after, or null when it is gone
   */
  async changePost(id: number, change: (current: Post) => Post | Promise<Post>): Promise<{ before: Post; after: Post } | null> {
    for (;;) {
      const before = await this.posts.findOne({ _id: id });
      if (!before) return null;
      const after = { ...(await change(before)), version: (before.version ?? 0) + 1 };
      const { matchedCount } = await this.posts.replaceOne({ _id: id, version: before.version ?? { $exists: false } }, after);
      if (matchedCount > 0) return { before, after };
    }
  }

  protected override invalidate(collection?: string, write?: Write): void {
    super.invalidate();
    if (collection === undefined || collection === 'posts') this.nextPublication.wrote((write?.documents ?? null) as Post[] | null);
  }
}
