import { didYouMean } from '../../../../base/text/suggest.js';
import type { MetaRow, Post } from '../../../../wordpress/model.js';
import { storedText } from '../../../../wordpress/rest/posts/post-types.js';
import type { Json } from '../../../../wordpress/rest/route.js';
import { DECLARED_SECTIONS, type Declarations } from '../../../../wordpress/types/declared.js';
import { isOfMetaType } from '../../../../wordpress/types/declared-meta.js';
import type { Registry } from '../../../../wordpress/types/registry.js';
import type { Problems } from '../../../source.js';
import { stubRoutes } from '../../../stubs.js';
import { blogColumns, templateRows } from '../blog.js';
import type { DatasetFile, DeclaredItem } from '../declaration.js';
import type { NamedEntries, Names } from '../names.js';

/** Reads the declarations of a file, without empty sections. */
export function declarationsOf(file: DatasetFile): Declarations {
  const sections: Declarations = {
    ...(file as Declarations),
    routes: { ...stubRoutes(file.stubs ?? []), ...(file as Declarations).routes },
  };
  return Object.fromEntries(
    DECLARED_SECTIONS.flatMap((section) => (Object.keys(sections[section] ?? {}).length > 0 ? [[section, sections[section]]] : [])),
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

const notText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean'
    ? `must be a string. Put it in quotes: "${value}"`
    : 'must be a string or a list of strings';

/** The rows of meta in a file. Only declared keys have other values than texts. */
export function metaRows(meta: object = {}, type: string, registry: Registry, at: string, problems: Problems): MetaRow[] {
  const keys = new Map(registry.findPostType(type)?.meta?.map((row) => [row.key, row.declared] as const));
  return Object.entries(meta).flatMap(([key, value]: [string, unknown]): MetaRow[] => {
    const declared = keys.get(key);
    const isOne = declared !== undefined && (declared.single ?? true);
    const values = isOne ? [value] : [value].flat();
    const isFine = (each: unknown): boolean => isText(each) || (declared !== undefined && isOfMetaType(each, declared.type));
    if (values.every(isFine)) return values.map((each) => ({ key, value: isText(each) ? each : storedText(each as Json) }));
    problems.add(`${at}.${key}`, declared === undefined ? notText(value) : `is not of the type ${declared.type ?? 'string'} of its key`);
    return [];
  });
}

/** The entries of each taxonomy. */
export type TermLists = ReadonlyMap<string, { names: Names; ids: readonly number[] }>;

/** The terms of an item in `terms`, by taxonomy. References to others are problems. */
export function itemTerms(
  terms: Readonly<Record<string, readonly (string | number)[] | undefined>> = {},
  type: string,
  { registry, lists, problems }: { registry: Registry; lists: TermLists; problems: Problems },
  at: string,
): Record<string, number[]> {
  const known = (registry.findPostType(type)?.taxonomies ?? []).filter((name) => lists.has(name));
  return Object.fromEntries(
    Object.entries(terms).flatMap(([taxonomy, references = []]): [string, number[]][] => {
      const path = `${at}.terms.${taxonomy}`;
      const list = known.includes(taxonomy) ? lists.get(taxonomy) : undefined;
      if (!list) {
        problems.add(path, `posts of type ${type} have no taxonomy ${JSON.stringify(taxonomy)}${didYouMean(taxonomy, known)}`, {
          list: 'taxonomies',
        });
        return [];
      }
      const find = (reference: string | number, index: number): number[] => {
        if (typeof reference === 'string') return [list.names.find(reference, `${path}[${index}]`) ?? []].flat();
        if (list.ids.includes(reference)) return [reference];
        problems.add(`${path}[${index}]`, `there is no term with the id ${reference}`);
        return [];
      };
      return [[taxonomy, [...new Set(references.flatMap(find))]]];
    }),
  );
}

/** Lists of terms of taxonomies that the file does not declare are problems. */
export function checkTermLists({ terms = {} }: DatasetFile, registry: Registry, problems: Problems): void {
  const known = Object.keys(registry.declarations.taxonomies ?? {});
  for (const name of Object.keys(terms).filter((each) => !known.includes(each))) {
    const hint = registry.findTaxonomy(name) ? '. Its terms belong in another list' : didYouMean(name, known);
    problems.add(`terms.${name}`, `taxonomies has no ${JSON.stringify(name)}${hint}`, { list: 'taxonomies' });
  }
}

/** Context for reading posts of declared types. */
interface ItemReading {
  kinds: ReadonlyMap<string, NamedEntries<DeclaredItem>>;
  registry: Registry;
  post: (
    kind: NamedEntries<DeclaredItem>,
    index: number,
    type: string,
    title: string,
  ) => Omit<Post, 'meta' | 'terms'> & { custom: MetaRow[] };
  thumbnail: (image: string | undefined, at: string) => MetaRow[];
  termsOf: (item: DeclaredItem, type: string, at: string) => Record<string, number[]>;
  parentsOf: (kind: NamedEntries<DeclaredItem>) => number[];
  problems: Problems;
}

/** Converts the items of own types to posts. */
export function itemPosts({ kinds, registry, post: postOf, thumbnail, termsOf, parentsOf, problems }: ItemReading): Post[] {
  const types = Object.keys(registry.declarations.types ?? {});
  return [...kinds].flatMap(([type, kind]): Post[] => {
    if (!types.includes(type)) {
      const isKnown = registry.findPostType(type) !== undefined;
      const hint = isKnown ? '. Its posts belong in another list' : didYouMean(type, types);
      problems.add(`items.${type}`, `types has no ${JSON.stringify(type)}${hint}`, { list: 'types' });
      return [];
    }
    const parents = parentsOf(kind);
    return kind.items.map((item, index): Post => {
      const at = kind.entries[index].path;
      const { custom, ...post } = postOf(kind, index, type, item.title);
      const meta = [...thumbnail(item.image, at), ...templateRows(item), ...custom];
      return { ...post, ...blogColumns(item), parent: parents[index], meta, terms: termsOf(item, type, at) };
    });
  });
}
