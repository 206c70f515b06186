import type { Json } from '../../../../base/values/records.js';
import { didYouMean } from '../../../../base/text/suggest.js';
import { CALENDAR_V1, EVENT, EVENT_CATEGORY, TEC_V1 } from '../../../../plugins/the-events-calendar/model/index.js';
import { LINKED, LINKED_KINDS, LINKED_TYPES } from '../../../../plugins/the-events-calendar/model/event.js';
import { ATTACHMENT, CATEGORY, PAGE, POST, TAG } from '../../../../wordpress/model.js';
import { allFieldValues, storedFields, type FieldValues, type HasFields } from '../../../../wordpress/stored-fields.js';
import type { DeclaredField, DeclaredFields, FieldSchema } from '../../../../wordpress/types/declared-fields.js';
import type { Registry } from '../../../../wordpress/types/registry.js';
import type { DatasetContent, Problems } from '../../../source.js';

/** Completes what a dataset declares for fields with what its items have. */

/** The types of objects that are neither posts nor terms. */
const OTHERS: readonly string[] = ['user', 'comment'];

/** The types of the items of lists, for people who write the name of the list. */
const LISTS: Readonly<Record<string, string>> = {
  events: EVENT,
  ...Object.fromEntries(LINKED_KINDS.map((kind) => [LINKED[kind].column, LINKED[kind].type])),
  posts: POST,
  pages: PAGE,
  media: ATTACHMENT,
  categories: EVENT_CATEGORY,
  tags: TAG,
  post_categories: CATEGORY,
  users: 'user',
  comments: 'comment',
};

/** The types with items in a namespace; null: all. */
const SHOWN_IN: Readonly<Record<string, readonly string[]>> = {
  [CALENDAR_V1]: [EVENT, ...LINKED_TYPES, EVENT_CATEGORY, TAG],
  [TEC_V1]: [EVENT, ...LINKED_TYPES],
};

/** The problem of fields of a type in a namespace that does not show its items; null: none. */
function misplaced(type: string, namespace: string): string | null {
  const types: readonly string[] | undefined = Object.hasOwn(SHOWN_IN, namespace) ? SHOWN_IN[namespace] : undefined;
  return types === undefined || types.includes(type) ? null : `${namespace} shows no items of the type ${type}`;
}

const typeOfValue = (value: Json | undefined): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

/** The types of values, in this order. */
const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** The schema of a field with some types of values. */
function guess(types: ReadonlySet<string>): FieldSchema {
  const found = TYPES.filter((type) => types.has(type) && !(type === 'integer' && types.has('number')));
  return found.length === 0 ? {} : { type: found.length === 1 ? found[0] : found };
}

/** The fields of a type in a namespace, in their order, with the types of their values. */
class Seen {
  readonly names: string[];
  private readonly types = new Map<string, Set<string>>();

  constructor(declared: Readonly<Record<string, DeclaredField>>) {
    this.names = Object.keys(declared);
    for (const [name, field] of Object.entries(declared)) if (field.default !== undefined) this.note(name, field.default);
  }

  private note(name: string, value: Json): void {
    const known = this.types.get(name) ?? new Set();
    this.types.set(name, known.add(typeOfValue(value)));
  }

  /** A new name follows the one that it follows in the item. */
  add(values: FieldValues): void {
    let before = -1;
    for (const [name, value] of Object.entries(values)) {
      this.note(name, value);
      const at = this.names.indexOf(name);
      if (at < 0) this.names.splice(before + 1, 0, name);
      before = at < 0 ? before + 1 : at;
    }
  }

  completed(declared: Readonly<Record<string, DeclaredField>>): Record<string, DeclaredField> {
    return Object.fromEntries(
      this.names.map((name) => {
        const field: DeclaredField = Object.hasOwn(declared, name) ? declared[name] : {};
        return [name, field.schema === undefined ? { ...field, guessed: guess(this.types.get(name) ?? new Set()) } : field];
      }),
    );
  }
}

type Content = Pick<DatasetContent, 'posts' | 'terms' | 'users' | 'comments'>;

/** The documents that have fields, with the type for which these are declared. */
function* documentsWithFields({ posts, terms, users, comments = [] }: Content): Generator<[type: string, document: HasFields]> {
  for (const post of posts) if (post.fields) yield [post.type, post];
  for (const term of terms) if (term.fields) yield [term.taxonomy, term];
  for (const user of users) if (user.fields) yield ['user', user];
  for (const comment of comments) if (comment.fields) yield ['comment', comment];
}

/** The fields of a site: the declared ones, and others that items have. */
function completedFields(declared: DeclaredFields, content: Content): DeclaredFields {
  const seen = new Map<string, Map<string, Seen>>();
  const seenIn = (type: string, namespace: string): Seen => {
    const ofType = seen.get(type) ?? new Map<string, Seen>();
    seen.set(type, ofType);
    const found = ofType.get(namespace) ?? new Seen(declared[type]?.[namespace] ?? {});
    ofType.set(namespace, found);
    return found;
  };
  for (const [type, namespaces] of Object.entries(declared)) for (const namespace of Object.keys(namespaces)) seenIn(type, namespace);
  for (const [type, document] of documentsWithFields(content))
    for (const [namespace, values] of Object.entries(allFieldValues(document))) seenIn(type, namespace).add(values);
  return Object.fromEntries(
    [...seen].map(([type, namespaces]) => [
      type,
      Object.fromEntries([...namespaces].map(([namespace, each]) => [namespace, each.completed(declared[type]?.[namespace] ?? {})])),
    ]),
  );
}

/** Reports declared fields of types that do not exist, and of namespaces that show none of their items. */
function checkFields(declared: DeclaredFields, registry: Registry, problems: Problems): void {
  const known = [...registry.postTypes.map(({ name }) => name), ...registry.taxonomies.map(({ name }) => name), ...OTHERS];
  for (const [type, namespaces] of Object.entries(declared)) {
    if (!known.includes(type)) {
      const meant = Object.hasOwn(LISTS, type) ? `. Did you mean "${LISTS[type]}"?` : didYouMean(type, known);
      problems.add(`fields.${type}`, `there is no type "${type}"${meant}`);
      continue;
    }
    for (const namespace of Object.keys(namespaces)) {
      const problem = misplaced(type, namespace);
      if (problem !== null) problems.add(`fields.${type}`, problem);
    }
  }
}

interface Item {
  fields?: object | undefined;
}

/** The fields of an item as they are stored. Namespaces that do not show its type are problems. */
export function fieldsOfItem({ fields }: Item, type: string, at: string, problems: Problems): HasFields {
  for (const namespace of Object.keys(fields ?? {})) {
    const problem = misplaced(type, namespace);
    if (problem !== null) problems.add(`${at}.fields`, problem);
  }
  return storedFields(fields as Record<string, FieldValues> | undefined);
}

/** Declarations of a file for fields, completed; absent if there are none. */
export function fieldsOfFile(
  declared: DeclaredFields | undefined,
  content: Content,
  registry: Registry,
  problems: Problems,
): { fields?: DeclaredFields } {
  if (declared) checkFields(declared, registry, problems);
  const fields = completedFields(declared ?? {}, content);
  return Object.keys(fields).length === 0 ? {} : { fields };
}

/** The fields of a document as a file has them. */
export const fieldsEntry = (document: HasFields): Record<string, FieldValues> | undefined =>
  document.fields === undefined ? undefined : allFieldValues(document);

/** Declarations as they are written: without what is guessed. */
export const writtenFields = (declared: DeclaredFields = {}): { fields?: DeclaredFields } => {
  const fields = mapFields(declared, ({ guessed: _guessed, ...field }) => field);
  return Object.keys(fields).length === 0 ? {} : { fields };
};

const mapFields = (declared: DeclaredFields, map: (field: DeclaredField) => DeclaredField): DeclaredFields =>
  mapValues(declared, (namespaces) => mapValues(namespaces, (fields) => mapValues(fields, map)));

const mapValues = <From, To>(values: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
