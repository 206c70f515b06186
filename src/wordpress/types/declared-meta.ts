export const META_TYPES = ['string', 'boolean', 'integer', 'number', 'array', 'object'] as const;

/** A meta key. WP: the arguments of `register_meta`. */
export interface DeclaredMeta {
  type?: (typeof META_TYPES)[number];
  /** Whether a post has one value. Default: true. */
  single?: boolean;
  default?: unknown;
  description?: string;
  /** Further keywords of its schema (WP: `show_in_rest.schema`). */
  schema?: Readonly<Record<string, unknown>>;
}
