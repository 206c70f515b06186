import * as shared from '../args.js';

const { context } = shared;

export const LIST_ARGS = { context };
export const TYPE_ARGS = { type: shared.capturedName('type'), context };
export const STATUS_ARGS = { status: shared.capturedName('status'), context };
export const TAXONOMY_FILTERS = { context, type: shared.text('Only taxonomies of this post type.') };
export const TAXONOMY_ARGS = { taxonomy: shared.capturedName('taxonomy'), context };
