import { isEmpty } from '../../../base/php/cast.js';
import { metaValue, type Post } from '../../model.js';
import type { ArgError, Json } from '../route.js';

/** Why a template is invalid, or null. @param names the existing templates @param current the template of the post */
export function refusedTemplate(value: Json, names: readonly string[], current: string): ArgError | null {
  if (isEmpty(value) || value === current || (typeof value === 'string' && names.includes(value))) return null;
  return { code: 'rest_invalid_param', message: `template is not one of ${names.join(', ')}.`, data: null };
}

/** The template of a post; empty for the default one (WP). */
export const shownTemplate = (post: Pick<Post, 'meta'>): string => metaValue(post, '_wp_page_template')?.replace(/^default$/, '') ?? '';
