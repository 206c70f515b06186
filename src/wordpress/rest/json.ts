import type { Json } from '../../base/values/json.js';

export type { Json } from '../../base/values/json.js';

/** A value that was sent. WP: null counts as not sent. */
export type Given = Exclude<Json, null>;

/** A parameter as it arrives: JSON types from a JSON body, text and nested lists from a query string or a form. */
export type Param = Given | undefined;
