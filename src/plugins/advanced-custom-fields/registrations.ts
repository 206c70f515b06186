import { formatSettings } from './field-formats.js';
import { acfFields, withAttachedMedia, withLinks } from './rest-field.js';
import type { GivenRegistrations } from '../../wordpress/types/registrations.js';

export const REGISTRATIONS: GivenRegistrations = {
  types: {
    statuses: [{ name: 'acf-disabled', label: 'Inactive', isPublic: true, isQueryable: true }],
    meta: [{ key: '_acf_changed', kind: 'flag' }],
  },
  hooks: { restFields: acfFields, response: withLinks, loadedPosts: withAttachedMedia, fieldFormats: formatSettings },
};
