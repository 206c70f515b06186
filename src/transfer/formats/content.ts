import type { Post } from '../../wordpress/model.js';

declare module '../../plugins/plugin.js' {
  interface MovingContent {
    doubts?: () => ContentDoubts;
  }
}

/** Finds probable mistakes in the content of a plugin. */
export interface ContentDoubts {
  add: (post: Post) => void;
  /** One sentence each, once all posts are known. */
  doubts: () => Iterable<string>;
}
