import type { PostType } from '../../types/post-type.js';
import LABELS from './labels.json' with { type: 'json' };

/** Labels of WordPress's administration, by key; null if a kind has none. */
export type Labels = Record<string, string | null>;

/** A label with placeholders; as an object: what only hierarchical or only flat kinds have. */
type Template = string | { tree?: string; flat?: string };

/** The label of the list of all posts of a type. */
export const allItemsLabel = ({ label, allItems = label }: Pick<PostType, 'label' | 'allItems'>): string => allItems;

/** @param all label of the list of all items */
function filled(templates: Readonly<Record<string, Template>>, many: string, one: string, isTree: boolean, all = many): Labels {
  const words = new Map(Object.entries({ Many: many, many: many.toLowerCase(), One: one, one: one.toLowerCase(), all }));
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (named, name: string) => words.get(name) ?? named);
  return Object.fromEntries(
    Object.entries(templates).map(([key, template]) => {
      const text = typeof template === 'string' ? template : isTree ? template.tree : template.flat;
      return [key, text === undefined ? null : fill(text)];
    }),
  );
}

export const typeLabels = (type: PostType): Labels =>
  filled(LABELS.types, type.label, type.singular, type.hierarchical ?? false, allItemsLabel(type));

/** Labels of a taxonomy. WP: hierarchical ones have labels for parents, others for lists of names. */
export const taxonomyLabels = (many: string, one: string, hierarchical: boolean): Labels =>
  filled(LABELS.taxonomies, many, one, hierarchical);
