import type { Post } from '../../wordpress/model.js';
import type { Random } from './random.js';

declare module '../../plugins/plugin.js' {
  interface MovingContent {
    /** Generates its posts for an event that has some (`PluginContent.share`). */
    generate?: (random: Random, event: Post, made: Made) => Iterable<Post>;
  }
}

/** Makes posts. */
export interface Made {
  seed: string;
  nextId: () => number;
  /** A post with the next id, and its title and id as slug, since many have the same title. */
  post: (random: Random, type: string, title: string) => Post;
}
