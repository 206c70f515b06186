import { phpJson } from '../php/json.js';
import { Clock } from '../wp/clock.js';
import { findPosts } from '../wp/posts.js';
import { NO_LOADED_REFERENCES } from '../wp/references.js';
import { loadRelated, type Related } from '../wp/related.js';
import type { Known, Post } from '../wp/model.js';
import type { State } from '../store/state.js';
import type { Store } from '../wp/store.js';
import type { Share, View } from './view.js';

/** What a presenter made, and all documents that it looked at: it holds as long as they do. */
interface Fragment<T = unknown> {
  shown: T;
  uses: readonly Use[];
}

/** A document by collection and id, or without an id a collection, and its name at that time. */
interface Use {
  collection: string;
  id?: number;
  name: number | string;
}

type Present = (post: Post, view: View) => object;

const nameOf = (state: State, { collection, id }: Pick<Use, 'collection' | 'id'>): number | string =>
  id === undefined ? state.nameOf(collection) : state.versionOf(collection, id);

const holds = ({ uses }: Fragment, state: State): boolean => uses.every((use) => nameOf(state, use) === use.name);

/** Documents that take note of what is asked for. */
const noting = <T>(documents: Known<T>, collection: string, uses: Use[], state: State): Known<T> => ({
  get: (id) => {
    uses.push({ collection, id, name: state.versionOf(collection, id) });
    return documents.get(id);
  },
});

/** Shows a post and takes note of what that depends on, besides the post and the view. Null if it depends on the time too. */
function present(post: Post, view: View, show: Present, fragments: Fragments): { json: string; fragment: Fragment<string> | null } {
  const { state } = fragments;
  const uses: Use[] = [];
  const { posts, terms, references } = view.related;
  // Texts that refer to others may show what is found by a query.
  if (references !== NO_LOADED_REFERENCES) uses.push({ collection: 'posts', name: state.nameOf('posts') });
  const related: Related = { posts: noting(posts, 'posts', uses, state), terms: noting(terms, 'terms', uses, state), references };
  const { readings } = Clock;
  const share: Share = (part, name, make) => {
    const known = fragments.find<ReturnType<typeof make>>(part._id, name);
    if (known) {
      uses.push(...known.uses);
      return known.shown;
    }
    const from = uses.length;
    const shown = make();
    if (readings === Clock.readings) fragments.keep(part._id, name, { shown, uses: uses.slice(from) }, PART_BYTES);
    return shown;
  };
  const json = phpJson(show(post, { ...view, related, share }));
  return { json, fragment: readings === Clock.readings ? { shown: json, uses } : null };
}

/** Estimated bytes of a part that is no text. */
const PART_BYTES = 4_000;

/** The fragments that one kind of view needs. */
class Fragments {
  readonly state: State;
  private readonly since: string;

  /** @param view names everything that a presenter may look at besides documents */
  constructor(
    private readonly store: Store,
    private readonly view: string,
  ) {
    this.state = store.state;
    this.since = this.state.revisionOf();
  }

  find<T>(id: number, name: string): Fragment<T> | undefined {
    const known = this.store.memory.fragments.get(this.placeOf(id, name)) as Fragment<T> | undefined;
    return known && holds(known, this.state) ? known : undefined;
  }

  /** Keeps a fragment, unless something was written since its documents were loaded. */
  keep(id: number, name: string, fragment: Fragment, bytes: number): void {
    if (this.store.shared || this.since !== this.state.revisionOf()) return;
    this.store.memory.fragments.set(this.placeOf(id, name), fragment, bytes + fragment.uses.length * USE_BYTES);
  }

  private placeOf(id: number, name: string): string {
    return `${id} ${this.state.versionOf('posts', id)} ${name} ${this.view}`;
  }
}

const nameOfView = ({ site, ...rest }: Omit<View, 'related'>): string => `${site.store.state.settings} ${site.url} ${JSON.stringify(rest)}`;

/** Estimated bytes of an entry in `uses`. */
const USE_BYTES = 60;

/**
 * Posts as a presenter shows them, in JSON, by id. Nothing is loaded for those that were shown before, until something changes that they
 * show. Posts that do not exist are left out.
 * @param kind names the presenter
 * @param view without what is related to the posts
 * @param loaded the posts, if they are loaded already; then nothing is kept
 */
export async function shownPosts(
  ids: readonly number[],
  kind: string,
  show: Present,
  view: Omit<View, 'related'>,
  loaded: Post[] | null = null,
): Promise<ReadonlyMap<number, string>> {
  const { store } = view.site;
  const fragments = new Fragments(store, nameOfView(view));
  const shown = new Map<number, string>();
  for (const id of ids) {
    const known = loaded ? undefined : fragments.find<string>(id, kind);
    if (known) shown.set(id, known.shown);
  }
  const missing = ids.filter((id) => !shown.has(id));
  if (missing.length === 0) return shown;

  const posts = loaded ?? (await findPosts(store, missing));
  const whole = { ...view, related: await loadRelated(store, posts) };
  for (const post of posts) {
    const { json, fragment } = present(post, whole, show, fragments);
    shown.set(post._id, json);
    if (fragment && !loaded) fragments.keep(post._id, kind, fragment, json.length);
  }
  return shown;
}
