import { toBool } from '../php/cast.js';
import { metaValue, withMeta, type MetaRow, type Post } from '../wp/model.js';
import type { FlagField } from './field.js';

const TRUTHY = ['1', 'enable', 'enabled', 'on', 'y', 'yes', 'true'];

/** TEC: of texts only these words mean yes; of other values all but the empty ones. */
export const isTruthy = (value: unknown): boolean => (typeof value === 'string' ? TRUTHY.includes(value.toLowerCase()) : toBool(value));

/** TEC: what is shown by default is shown unless a row says no, which `''`, `0` and `false` do. */
export function readFlag(post: Pick<Post, 'meta'>, { key, shown }: FlagField): boolean {
  const value = metaValue(post, key);
  if (!shown) return isTruthy(value);
  return value === undefined || !['', '0', 'false'].includes(value);
}

/** TEC: for some flags the mere existence of a row counts, not its value. */
export const hasRow = (post: Pick<Post, 'meta'>, { key }: FlagField): boolean => metaValue(post, key) !== undefined;

const keysOf = ({ key, twin }: FlagField): string[] => (twin === undefined ? [key] : [key, twin]);

const stored = ({ yes, no }: FlagField, value: boolean): string[] => (value ? [yes] : no === null ? [] : [no]);

/** The meta after a flag was written. */
export const writeFlag = (meta: MetaRow[], field: FlagField, value: boolean): MetaRow[] =>
  keysOf(field).reduce((next, key) => withMeta(next, key, stored(field, value)), meta);

/** The rows of a flag as the plugin's editor and importers store them. */
export const flagRows = (field: FlagField, value: boolean): MetaRow[] => {
  const { edited = field.yes } = field;
  return stored({ ...field, yes: edited }, value).flatMap((text) => keysOf(field).map((key) => ({ key, value: text })));
};
