export const META_TYPES = ['string', 'boolean', 'integer', 'number', 'array', 'object'] as const;

/** Whether a value is of the type of a meta key. */
export function isOfMetaType(value: unknown, type: DeclaredMeta['type'] = 'string'): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return value !== null && typeof value === 'object' && !Array.isArray(value);
  return typeof value === type;
}

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
