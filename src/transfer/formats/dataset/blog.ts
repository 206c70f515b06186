import { metaValue, type MetaRow, type Post } from '../../../wordpress/model.js';
import type { DeclaredPage, DeclaredPost } from './declaration.js';

/** Blog posts and pages, as far as they differ from the posts of the calendar. */

/** WP: the file name of a page's template. */
export const TEMPLATE = '_wp_page_template';

export const blogColumns = (item: Partial<DeclaredPost & DeclaredPage>): Partial<Post> => ({
  ...(item.comment_status === undefined ? {} : { commentStatus: item.comment_status }),
  ...(item.ping_status === undefined ? {} : { pingStatus: item.ping_status }),
  ...(item.sticky ? { sticky: true } : {}),
  ...(item.format === undefined || item.format === 'standard' ? {} : { format: item.format }),
  menuOrder: item.menu_order ?? 0,
});

export const templateRows = ({ template }: DeclaredPage): MetaRow[] => (template ? [{ key: TEMPLATE, value: template }] : []);

export const blogFields = (post: Post): Partial<DeclaredPost & DeclaredPage> => ({
  ...(post.commentStatus === undefined ? {} : { comment_status: post.commentStatus as 'open' | 'closed' }),
  ...(post.pingStatus === undefined ? {} : { ping_status: post.pingStatus as 'open' | 'closed' }),
  ...(post.sticky ? { sticky: true } : {}),
  ...(post.format === undefined ? {} : { format: post.format }),
  ...(post.menuOrder === 0 ? {} : { menu_order: post.menuOrder }),
});

export const templateName = (post: Post): string | undefined => metaValue(post, TEMPLATE);
