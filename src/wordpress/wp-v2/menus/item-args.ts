import { checkValue, isRefused } from '../../rest/check.js';
import { toStr } from '../../../base/php/cast.js';
import type { EndpointCall } from '../../rest/params.js';
import type { ArgError, CallContext, Json } from '../../rest/route.js';
import { MENU_ITEM } from '../../model.js';
import type { Registry } from '../../types/registry.js';
import { escUrlRaw, sanitizeKey, sanitizeTextField } from '../../formatting/sanitize.js';
import * as shared from '../args.js';
import { sharedMetaField } from '../posts/post-args.js';

/** WP: a URL that is empty after sanitizing counts as absent. */
function validUrl(value: Json): boolean | ArgError {
  const checked = checkValue(value, { type: 'string', format: 'uri' }, 'url');
  if (isRefused(checked)) return checked;
  return value === '' || escUrlRaw(toStr(value)) !== '' ? true : { code: 'rest_invalid_url', message: 'Invalid URL.' };
}

const cleanText = { sanitize: (value: Json): string => (typeof value === 'string' ? sanitizeTextField(value) : '') };

export const itemArgs = (registry: Registry) => ({
  title: { ...shared.title(), type: ['string', 'object'] as ('string' | 'object')[], sanitize: 'raw' as const },
  type: shared.choice('Type of the link target.', ['taxonomy', 'post_type', 'post_type_archive', 'custom'], { default: 'custom' }),
  status: shared.choice('Status of the item.', shared.writableStatuses(registry), { default: 'publish' }),
  parent: shared.integer('ID of the parent item.', { default: 0, minimum: 0 }),
  attr_title: shared.text('Title attribute of the link.', cleanText),
  classes: shared.texts('CSS classes of the link.'),
  description: shared.text('Description of the link.', cleanText),
  menu_order: shared.integer('Position in the menu.', { default: 1, minimum: 1 }),
  object: shared.text('Post type or taxonomy of the link target.', {
    sanitize: (value) => (typeof value === 'string' ? sanitizeKey(value) : ''),
  }),
  object_id: shared.integer('ID of the post or term that the item links to.', { default: 0, minimum: 0 }),
  target: shared.choice('Target attribute of the link.', ['_blank', '']),
  url: shared.text('URL of the link.', { format: 'uri', validate: validUrl }),
  xfn: shared.texts('XFN relationships of the link.'),
  menus: shared.integer('ID of the menu that contains the item.'),
  meta: sharedMetaField(MENU_ITEM, registry),
});

export type ItemFields = Partial<EndpointCall<ReturnType<typeof itemArgs>>['params']>;
export type ItemWrite = CallContext & { params: ItemFields };
