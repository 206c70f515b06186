import { isEmpty } from '../../base/php/cast.js';
import { htmlRules } from '../formatting/kses/kses.js';
import { saveTermDescription, saveTermName, sanitizeTitle, truncateSlug } from '../formatting/sanitize.js';
import { phpTrim } from '../formatting/strip-tags.js';
import { CATEGORY, type Term } from '../model.js';
import { equalityKey } from '../posts/posts.js';
import { isDuplicate } from '../../database/store/errors.js';
import { deleteItemsOf } from '../query/menus.js';
import { recountSoon } from './term-counts.js';
import { deriveTerm, findTerm } from './terms.js';
import { withLock } from '../../database/store/locks.js';
import type { Site } from '../site.js';

/** A term could not be stored (WP: error codes of `wp_insert_term` and `wp_update_term`). */
export class TermError extends Error {
  override readonly name = 'TermError';

  constructor(
    readonly code: 'empty_term_name' | 'invalid_term_name' | 'db_insert_error' | 'term_exists' | 'duplicate_term_slug',
    message: string,
    readonly termId?: number,
  ) {
    super(message);
  }
}

/** The fields of a term that were sent. */
export interface TermData {
  name?: string;
  slug?: string;
  description?: string;
  parent?: number;
}

/** Maximum length of a name (WP: `varchar(200)`). */
const MAX_NAME_LENGTH = 200;

function checkedName(raw: string): string {
  if (phpTrim(raw) === '') throw new TermError('empty_term_name', 'A name is required for this term.');
  const name = saveTermName(raw);
  if (name === '') throw new TermError('invalid_term_name', 'Invalid term name.');
  if (Array.from(name).length > MAX_NAME_LENGTH) throw new TermError('db_insert_error', 'Could not insert term into the database.');
  return name;
}

/** PHP `strtolower`: only ASCII letters change. */
const lowered = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Finds a term that conflicts with a new one because it has the same name, ignoring the case of ASCII letters (WP). WP: in hierarchical
 * taxonomies a name that differs in case conflicts only if a sibling has the slug.
 */
async function findConflict(
  site: Site,
  taxonomy: string,
  name: string,
  slug: string,
  slugGiven: boolean,
  parent: number,
): Promise<Term | null> {
  const isTree = site.registry.isTree(taxonomy);
  const level = isTree ? { parent } : {};
  const { terms } = site.store;
  const alike = await terms
    .find({ taxonomy, nameKey: equalityKey(name), ...level })
    .sort({ _id: 1 })
    .toArray();
  const sameName = alike.find((term) => lowered(term.name) === lowered(name));
  if (!sameName) return null;
  const holder = await terms.findOne({ taxonomy, slug });
  const isItsSlug = !slugGiven || sameName.slug === slug;
  if (!isItsSlug && !holder) return null;
  if (!isTree) return sameName;
  if (isItsSlug && alike.some((term) => term.name === name)) return sameName;
  return holder && holder.parent === parent ? holder : null;
}

/** Whether a term of the taxonomies has a slug. @param except id of a term to ignore */
const slugIsTaken = async (site: Site, slug: string, except = 0, taxonomies = site.registry.countedTaxonomies): Promise<boolean> =>
  (await site.store.terms.findOne({ taxonomy: { $in: taxonomies }, slug, _id: { $ne: except } }, { projection: { _id: 1 } })) !== null;

/**
 * Finds a free slug. WP: if the slug is taken in its taxonomy, appends the slugs of the ancestors, then a number, until no taxonomy has it.
 * @param id id of the term, which may already have the slug
 */
async function freeTermSlug(site: Site, taxonomy: string, wanted: string, parent: number, id = 0): Promise<string> {
  if (!(await slugIsTaken(site, wanted, id, [taxonomy]))) return wanted;
  let slug = wanted;
  for (let above = await findTerm(site.store, taxonomy, parent); above; above = await findTerm(site.store, taxonomy, above.parent)) {
    slug = `${slug}-${above.slug}`;
    if (!(await slugIsTaken(site, slug))) return slug;
  }
  if (!(await slugIsTaken(site, slug, id))) return slug;
  for (let suffix = 2; ; suffix += 1) {
    const numbered = truncateSlug(slug, `-${suffix}`);
    if (!(await slugIsTaken(site, numbered))) return numbered;
  }
}

/**
 * Creates a term. Serialized: of two concurrent requests with the same name, the second fails.
 * @throws TermError
 */
export const insertTerm = (site: Site, taxonomy: string, data: TermData): Promise<Term> =>
  withLock(site.store, taxonomy, () => insertChecked(site, taxonomy, data));

async function insertChecked(site: Site, taxonomy: string, data: TermData): Promise<Term> {
  const name = checkedName(data.name ?? '');
  const parent = await existingParent(site, taxonomy, data.parent ?? 0);
  // PHP: `0` is empty.
  const explicit = isEmpty(data.slug) ? '' : sanitizeTitle(data.slug ?? '', site.quirks);
  const fromName = explicit || sanitizeTitle(name, site.quirks);
  await site.store.current();
  // WP: a term that exists already uses up no id.
  const known = fromName === '' ? null : await findConflict(site, taxonomy, name, fromName, explicit !== '', parent);
  if (known) throw conflicting(site, taxonomy, known);
  const id = await site.store.sequences.next('terms');
  const wanted = fromName || String(id);
  for (;;) {
    await site.store.current();
    // Before the name is looked for: if another server creates the same term meanwhile, the slug is taken or the name is found.
    const slug = await freeTermSlug(site, taxonomy, wanted, parent);
    const conflict = await findConflict(site, taxonomy, name, wanted, explicit !== '', parent);
    if (conflict) throw conflicting(site, taxonomy, conflict);
    const description = saveTermDescription(data.description ?? '', htmlRules(site.quirks));
    const term = deriveTerm({ _id: id, taxonomy, name, slug, description, parent, termGroup: 0, termTaxonomyId: id, count: 0 });
    try {
      await site.store.terms.insertOne(term);
      site.store.onChange?.({ kind: 'term', before: null, after: term });
      return term;
    } catch (error) {
      // A concurrent write has taken the slug: retry.
      if (!isDuplicate(error, 'slug')) throw error;
    }
  }
}

const conflicting = ({ registry }: Site, taxonomy: string, { _id }: Term): TermError =>
  new TermError(
    'term_exists',
    `A term with the name provided already exists ${registry.isTree(taxonomy) ? 'with this parent' : 'in this taxonomy'}.`,
    _id,
  );

/** Finds a term by name or slug, or creates it (WP: names assigned to posts). */
export async function findOrCreateTerm(site: Site, taxonomy: string, text: string): Promise<Term> {
  const byName = await site.store.terms.findOne({ taxonomy, nameKey: equalityKey(text) });
  const slug = sanitizeTitle(text, site.quirks);
  const found = byName ?? (slug === '' ? null : await site.store.terms.findOne({ taxonomy, slug }));
  if (found) return found;
  try {
    return await insertTerm(site, taxonomy, { name: text });
  } catch (error) {
    // Another server may have made it a moment ago.
    await site.store.current();
    const existing = error instanceof TermError && error.termId !== undefined ? await findTerm(site.store, taxonomy, error.termId) : null;
    if (!existing) throw error;
    return existing;
  }
}

const existingParent = async (site: Site, taxonomy: string, parent: number): Promise<number> =>
  parent !== 0 && (await findTerm(site.store, taxonomy, parent)) ? parent : 0;

/** WP: a parent that would create a cycle is replaced by 0. */
async function safeParent(site: Site, term: Term, parent: number): Promise<number> {
  for (let above: number = parent; above !== 0;) {
    if (above === term._id) return 0;
    above = (await findTerm(site.store, term.taxonomy, above))?.parent ?? 0;
  }
  return existingParent(site, term.taxonomy, parent);
}

/**
 * Updates the fields of a term that were sent.
 * @throws TermError
 */
export const updateTerm = (site: Site, term: Term, data: TermData): Promise<Term> =>
  withLock(site.store, term.taxonomy, () => updateChecked(site, term, data));

async function updateChecked(site: Site, term: Term, data: TermData): Promise<Term> {
  const changes: Partial<Term> = {};
  if (data.name !== undefined) changes.name = checkedName(data.name);
  if (data.description !== undefined) changes.description = saveTermDescription(data.description, htmlRules(site.quirks));
  if (data.parent !== undefined) changes.parent = await safeParent(site, term, data.parent);
  if (data.slug !== undefined) {
    const explicit = isEmpty(data.slug) ? '' : sanitizeTitle(data.slug, site.quirks);
    const wanted = explicit || sanitizeTitle(changes.name ?? term.name, site.quirks);
    const { parent = term.parent } = changes;
    // WP: uses the requested parent here, even if it would create a cycle.
    changes.slug = await freeTermSlug(site, term.taxonomy, wanted, data.parent ?? term.parent, term._id);
    // WP: an explicit slug that is taken is an error, unless the parent changes.
    if (changes.slug !== wanted && explicit !== '' && parent === term.parent) throw duplicateSlug(wanted);
  }
  const { nameKey, search } = deriveTerm({ ...term, ...changes });
  try {
    await site.store.terms.updateOne({ _id: term._id }, { $set: { ...changes, nameKey, search } });
  } catch (error) {
    throw isDuplicate(error, 'slug') ? duplicateSlug(changes.slug ?? '') : error;
  }
  if (data.parent !== undefined) await recountSoon(site.store, [term._id]);
  const after = (await findTerm(site.store, term.taxonomy, term._id)) ?? { ...term, ...changes };
  site.store.onChange?.({ kind: 'term', before: term, after });
  return after;
}

const duplicateSlug = (slug: string): TermError =>
  new TermError('duplicate_term_slug', `The slug &#8220;${slug}&#8221; is already in use by another term.`);

/** Deletes a term permanently, removes it from posts, and moves its children up (WP). The document is deleted last, so that a crash leaves no dangling references. */
export const deleteTerm = (site: Site, term: Term): Promise<void> => withLock(site.store, term.taxonomy, () => removeTerm(site, term));

async function removeTerm({ store, options }: Site, term: Term): Promise<void> {
  const { _id, taxonomy } = term;
  const parent = (await findTerm(store, taxonomy, _id))?.parent ?? 0;
  const column = `terms.${taxonomy}`;
  // WP: posts without another category get the default category.
  const usual = taxonomy === CATEGORY && (await findTerm(store, taxonomy, options.defaultCategory)) ? [options.defaultCategory] : [];
  if (usual.length > 0) await store.posts.updateMany({ [column]: [_id] }, { $set: { [column]: usual }, $inc: { version: 1 } });
  await store.posts.updateMany({ [column]: _id }, { $pull: { [column]: _id }, $inc: { version: 1 } });
  await store.terms.updateMany({ taxonomy, parent: _id }, { $set: { parent } });
  await store.terms.deleteOne({ _id });
  await deleteItemsOf(store, 'taxonomy', _id);
  await recountSoon(store, [_id, ...(parent === 0 ? [] : [parent]), ...usual]);
  store.onChange?.({ kind: 'term', before: term, after: null });
}
