import { isEmpty, isNumeric } from '../../base/php/cast.js';
import { lookup } from '../../base/values/records.js';
import { CATEGORY, POST, TAG, type Post, type Term } from '../model.js';
import type { Registry } from '../types/registry.js';

/** WP: the format of posts without one. */
const STANDARD = 'standard';

/** Exceptions to the prefixes of the classes of terms: usually the name of the taxonomy. */
const PREFIXES: Readonly<Record<string, string>> = lookup({ [CATEGORY]: 'category', [TAG]: 'tag' });

/** The CSS class of a term: its slug without invalid characters. WP: if that is a number or empty, the id. */
function classOf({ slug, _id }: Term): string {
  const clean = slug.replace(/%[a-f0-9]{2}|[^a-z0-9_-]/gi, '');
  return isNumeric(clean) || /^-*$/.test(clean) ? String(_id) : clean;
}

const byName = (a: Term, b: Term): number => (a.nameKey < b.nameKey ? -1 : a.nameKey > b.nameKey ? 1 : a._id - b._id);

/** The CSS classes of a post. Behavior of get_post_class. @param hasImage whether it has a featured image */
export function classesOfPost(post: Post, registry: Registry, hasImage: boolean, termsIn: (taxonomy: string) => readonly Term[]): string[] {
  const type = registry.postTypeOf(post.type);
  const taxonomies = type.taxonomies ?? [];
  const sorted = (taxonomy: string): Term[] => termsIn(taxonomy).toSorted(byName);
  const perTerm = taxonomies.flatMap((name) => sorted(name).map((term) => `${PREFIXES[name] ?? name}-${classOf(term)}`));
  const styled = taxonomies.flatMap((name) => {
    const prefix = registry.taxonomyOf(name).styled;
    return prefix === undefined ? [] : sorted(name).map(({ slug }) => `${prefix}_${slug}`);
  });
  return [
    `post-${post._id}`,
    type.name,
    `type-${type.name}`,
    `status-${post.status}`,
    ...(type.name === POST ? [`format-${post.format ?? STANDARD}`] : []),
    // WP: the password of the request has no effect here. PHP: `0` is not a password.
    ...(isEmpty(post.password) ? (hasImage ? ['has-post-thumbnail'] : []) : ['post-password-required']),
    'hentry',
    ...perTerm,
    ...(post.format === undefined ? [] : [`post_format-post-format-${post.format}`]),
    // TEC: additionally under the name that its styles use.
    ...styled,
  ];
}
