import { didYouMean, isMisspelling } from '../../../../base/text/suggest.js';
import type { Route } from '../../../../wordpress/rest/route.js';
import { HIDDEN_TAXONOMIES } from '../../../../wordpress/types/core.js';
import { isOfMetaType, type DeclaredMeta } from '../../../../wordpress/types/declared-meta.js';
import type { Declarations } from '../../../../wordpress/types/declared.js';
import { onceFor, type Registry } from '../../../../wordpress/types/registry.js';
import { registryWithDefaults } from '../../../../plugins/register.js';
import { DatasetError, Problems } from '../../../source.js';
import { checkAgainst } from '../../schema.js';
import { declarationsRule } from './declaration.js';

/** Problems with declarations, besides their structure. Untrusted files contain them. */

type Report = (path: string, message: string) => void;

/** WP: `register_post_type` and `register_taxonomy` reject longer names. */
const LONGEST = { types: 20, taxonomies: 32 } as const;

const NAME = /^[a-z0-9_-]+$/;

/** WP: reserved names of post types. */
const RESERVED_TYPES: ReadonlySet<string> = new Set(['action', 'author', 'order', 'theme', 'constructor', '__proto__']);

/** WP: reserved terms, which would be taken for other variables of a query. Parameters and fields of `wp/v2` are among them. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    // Members of every object.
    'constructor __proto__',
    'action attachment attachment_id author author_name before after calendar cat category category_name comments_per_page comments_popup',
    'content context cpage custom date date_gmt day debug embed error exact excerpt exclude fallback featured_media feed format guid hour id',
    'include link link_category m menu menu_order meta minute modified modified_gmt monthnum more name nav_menu nonce nopaging offset order',
    'orderby p page page_id paged pagename parent password pb perm post post__in post__not_in post_format post_status post_tag post_type posts',
    'posts_per_archive_page posts_per_page per_page preview robots s search second sentence showposts slug static status sticky subpost',
    'subpost_id tag tag_id taxonomy tb template term terms theme title type types w withcomments withoutcomments year class_list _links',
  ].flatMap((line) => line.split(' ')),
);

const FEATURES = [
  ...['title', 'editor', 'author', 'thumbnail', 'excerpt', 'trackbacks', 'custom-fields', 'comments', 'revisions', 'page-attributes'],
  ...['post-formats', 'autosave'],
];

/** The first segments of the routes of `wp/v2`, which a type cannot have. */
const basesOf = onceFor(async (registry): Promise<ReadonlySet<string>> => {
  const { wpV2 } = await import('../../../../wordpress/wp-v2/index.js');
  const segmentOf = ({ path }: Route): string => path.replace(/^\/(?:wp\/v2\/)?/, '').split('/')[0];
  return new Set(wpV2(registry).routes.map(segmentOf));
});

const named = (name: string, section: keyof typeof LONGEST): string | null => {
  if (!NAME.test(name)) return `the name ${JSON.stringify(name)} must have lower-case letters, digits, - and _ only`;
  const most = LONGEST[section];
  return name.length > most ? `the name ${name} has ${name.length} characters. WordPress accepts at most ${most}` : null;
};

function checkMeta(keys: Readonly<Record<string, DeclaredMeta>> = {}, at: string, report: Report): void {
  for (const [key, declared] of Object.entries(keys)) {
    if (key.trim() === '') report(at, 'a meta key must not be empty');
    const { default: value, type = 'string', single = true } = declared;
    if (value !== undefined && value !== null && (single ? !isOfMetaType(value, declared.type) : !Array.isArray(value)))
      report(`${at}.${key}.default`, `is not of the type ${type}`);
  }
}

/** A reference to a name that must be known. */
function checkKnown(name: string, known: readonly string[], what: string, at: string, report: Report): void {
  if (!known.includes(name)) report(at, `there is no ${what} ${JSON.stringify(name)}${didYouMean(name, known)}`);
}

/**
 * Checks declarations. @param base the registry of the site without them
 * @param report receives each problem, with its path
 */
export async function checkDeclarations(declarations: Declarations, base: Registry, report: Report): Promise<void> {
  const { types = {}, taxonomies = {}, image_sizes: sizes = {}, meta = {} } = declarations;
  const knownTypes = [...base.postTypes.map(({ name }) => name), ...Object.keys(types)];
  const knownTaxonomies = [...base.taxonomies.map(({ name }) => name), ...Object.keys(taxonomies)];
  checkNames(declarations, base, report);
  await checkBases(declarations, base, report);
  for (const [name, { supports = [], taxonomies: own = [], meta: keys }] of Object.entries(types)) {
    const at = `types.${name}`;
    for (const [index, feature] of supports.entries())
      if (!FEATURES.includes(feature) && isMisspelling(feature, FEATURES))
        report(`${at}.supports[${index}]`, `there is no feature ${JSON.stringify(feature)}${didYouMean(feature, FEATURES)}`);
    for (const [index, each] of own.entries()) checkKnown(each, knownTaxonomies, 'taxonomy', `${at}.taxonomies[${index}]`, report);
    checkMeta(keys, `${at}.meta`, report);
  }
  for (const [name, { types: of = [] }] of Object.entries(taxonomies))
    for (const [index, each] of of.entries()) checkKnown(each, knownTypes, 'post type', `taxonomies.${name}.types[${index}]`, report);
  for (const [name, { width = 0, height = 0 }] of Object.entries(sizes)) {
    if (base.imageSizes.some((size) => size.name === name)) report(`image_sizes.${name}`, 'is a size of WordPress');
    if (width === 0 && height === 0) report(`image_sizes.${name}`, 'needs a width or a height');
  }
  for (const [type, keys] of Object.entries(meta)) {
    checkKnown(type, knownTypes, 'post type', `meta.${type}`, report);
    if (Object.hasOwn(types, type)) report(`meta.${type}`, `belongs in types.${type}.meta`);
    checkMeta(keys, `meta.${type}`, report);
  }
}

/** Checks declarations of a file that a program has written. @throws DatasetError with all problems */
export async function declarationsIn(value: unknown, file: string, plugins: readonly string[] = []): Promise<Declarations> {
  const problems = new Problems();
  if (checkAgainst(declarationsRule, value, problems))
    await checkDeclarations(value as Declarations, await registryWithDefaults(plugins), (at, message) => problems.add(at, message));
  if (problems.entries.length === 0) return value as Declarations;
  throw new DatasetError(
    file,
    problems.entries.map(({ path, message }) => ({ line: 1, path: `declares.${path}`, message })),
  );
}

/** Names that exist already, or that mean something else. */
function checkNames({ types = {}, taxonomies = {} }: Declarations, base: Registry, report: Report): void {
  for (const name of Object.keys(types)) {
    const problem = named(name, 'types') ?? (RESERVED_TYPES.has(name) ? `${name} is a reserved name of WordPress` : null);
    if (base.findPostType(name) || base.isHiddenType(name)) report(`types.${name}`, `${name} is already a post type of the site`);
    else if (problem !== null) report(`types.${name}`, problem);
  }
  for (const name of Object.keys(taxonomies)) {
    const problem = named(name, 'taxonomies') ?? (RESERVED.has(name) ? `${name} is a reserved name of WordPress` : null);
    if (base.findTaxonomy(name) || HIDDEN_TAXONOMIES.includes(name))
      report(`taxonomies.${name}`, `${name} is already a taxonomy of the site`);
    else if (problem !== null) report(`taxonomies.${name}`, problem);
  }
}

/** Paths below `wp/v2`: one for each type and taxonomy. The one of a taxonomy is a field of posts as well. */
async function checkBases({ types = {}, taxonomies = {} }: Declarations, base: Registry, report: Report): Promise<void> {
  const owners = new Map<string, string>();
  const all = [
    ...Object.entries(types).map(([name, { rest_base = name }]) => ({ base: rest_base, at: `types.${name}`, isField: false })),
    ...Object.entries(taxonomies).map(([name, { rest_base = name }]) => ({ base: rest_base, at: `taxonomies.${name}`, isField: true })),
  ];
  if (all.length === 0) return;
  const taken = await basesOf(base);
  for (const { base: path, at, isField } of all) {
    const owner = owners.get(path);
    if (taken.has(path)) report(`${at}.rest_base`, `${path} is already a path in wp/v2`);
    else if (owner !== undefined) report(`${at}.rest_base`, `${path} is already the rest_base of ${owner}`);
    else if (isField && RESERVED.has(path)) report(`${at}.rest_base`, `${path} is already a field or a parameter of posts in wp/v2`);
    owners.set(path, at);
  }
}
