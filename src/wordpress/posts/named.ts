import { CATEGORY, type Term, type User } from '../model.js';
import { slugPath } from '../terms/terms.js';
import type { Site } from '../site.js';

/** Reads the categories and authors that addresses of blog posts name, if they do (`%category%`, `%author%`). */
export async function readNamed({ options: { rewrite }, store }: Site): Promise<void> {
  if (!rewrite.namesOthers) return;
  const categories = async (): Promise<Map<number, string>> => {
    const terms = new Map((await store.terms.find({ taxonomy: CATEGORY }).toArray()).map((term: Term) => [term._id, term]));
    return new Map([...terms].map(([id, term]) => [id, slugPath(term, terms).join('/')]));
  };
  const authors = async (): Promise<Map<number, string>> =>
    new Map((await store.users.find({}).toArray()).map(({ _id, nicename }: User) => [_id, nicename]));
  rewrite.named = {
    categories: await store.cache.remember('paths of categories', categories, 'terms'),
    authors: await store.cache.remember('names of authors', authors, 'users'),
  };
}
