import { toBool } from '../../../base/php/cast.js';
import { metaValue, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import type { FlagField } from './field.js';

const TRUTHY = ['1', 'enable', 'enabled', 'on', 'y', 'yes', 'true'];

/** TEC: the strings that mean true; other values are true unless they are empty. */
export const isTruthy = (value: unknown): boolean => (typeof value === 'string' ? TRUTHY.includes(value.toLowerCase()) : toBool(value));

/** TEC: flags that are true by default are false only for the values `''`, `0` and `false`. */
export function readFlag(post: Pick<Post, 'meta'>, { key, default: shown }: FlagField): boolean {
  const value = metaValue(post, key);
  if (!shown) return isTruthy(value);
  return value === undefined || !['', '0', 'false'].includes(value);
}

/** TEC: some flags are set if a row exists, with any value. */
export const hasRow = (post: Pick<Post, 'meta'>, { key }: FlagField): boolean => metaValue(post, key) !== undefined;

const keysOf = ({ key, alias: twin }: FlagField): string[] => (twin === undefined ? [key] : [key, twin]);

const stored = ({ yes, no }: FlagField, value: boolean): string[] => (value ? [yes] : no === null ? [] : [no]);

/** The meta after a flag was written. */
export const writeFlag = (meta: MetaRow[], field: FlagField, value: boolean): MetaRow[] =>
  keysOf(field).reduce((next, key) => withMeta(next, key, stored(field, value)), meta);

/** The rows of a flag as the plugin's editor and importers store them. */
export const flagRows = (field: FlagField, value: boolean): MetaRow[] => {
  const { edited = field.yes } = field;
  return stored({ ...field, yes: edited }, value).flatMap((text) => keysOf(field).map((key) => ({ key, value: text })));
};
