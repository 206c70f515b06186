import type { Frame, Renderer } from './frame.js';
import { LIST_BLOCKS } from './list-blocks.js';
import { LATE_MEDIA, MEDIA_BLOCKS } from './media-blocks.js';
import { POST_BLOCKS } from './post-blocks.js';
import { QUERY_BLOCKS } from './query-blocks.js';
import { SITE_BLOCKS } from './site-blocks.js';
import { whole, type Html } from './tags.js';

/** The functions that render blocks of WordPress when they are shown, by name. */
export const CORE_BLOCKS: ReadonlyMap<string, Renderer> = new Map(
  Object.entries({ ...MEDIA_BLOCKS, ...LIST_BLOCKS, ...POST_BLOCKS, ...QUERY_BLOCKS, ...SITE_BLOCKS }),
);

/** Changes after all that attributes give a block. WP: the filters `render_block_core/…`. */
export const LATE: ReadonlyMap<string, (frame: Frame, html: Html) => Html> = new Map(
  Object.entries(LATE_MEDIA).map(([name, change]) => [
    name,
    (frame: Frame, html: Html): Html => {
      const changed = change(frame, html);
      return typeof changed === 'string' ? whole(changed) : changed;
    },
  ]),
);
