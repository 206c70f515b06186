import { KnownJson } from '../php/json.js';
import { Parts, Uses, type Shown } from '../memory/parts.js';
import { Clock } from '../wp/clock.js';
import { remembering } from '../wp/formatting/memo.js';
import { NO_LOADED_REFERENCES } from '../wp/references.js';
import { loadRelated, type Related } from '../wp/related.js';
import type { Known, Post } from '../wp/model.js';
import { readPosts } from '../wp/posts.js';
import { partName, type Share, type View } from './view.js';

type Present = (post: Post, view: View) => object;

/** Shows parts of posts, and caches those that do not depend on the time, with their dependencies. */
class Shower {
  readonly related: Related;
  private uses: Uses;

  /** @param unkept posts that may have changed since they were loaded: their parts are neither taken from the cache nor added to it */
  constructor(
    private readonly loaded: Related,
    private readonly parts: Parts,
    private readonly unkept: ReadonlySet<number>,
  ) {
    this.uses = this.newUses();
    this.related = { ...loaded, posts: this.noting(loaded.posts, 'posts'), terms: this.noting(loaded.terms, 'terms') };
  }

  readonly shared = (collection: Shown, id: number, name: string): KnownJson | undefined => {
    const known = this.find(collection, id, name);
    return known instanceof KnownJson ? known : undefined;
  };

  readonly share: Share = (collection, id, name, make) => {
    const known = this.find<ReturnType<typeof make>>(collection, id, name);
    if (known !== undefined) return known;
    if (this.isUnkept(collection, id)) return make();
    const { uses: outer } = this;
    const { readings } = Clock;
    const own = (this.uses = this.newUses());
    const shown = make();
    this.uses = outer;
    outer.addFrom(own);
    if (readings !== Clock.readings) return shown;
    const isJson = typeof shown === 'object' && shown !== null;
    const part = isJson ? (KnownJson.of(shown) as typeof shown & KnownJson) : shown;
    const size = part instanceof KnownJson ? part.size : typeof part === 'string' ? part.length : 0;
    this.parts.keep({ collection, id }, name, part, own, size);
    return part;
  };

  private find<T>(collection: Shown, id: number, name: string): T | undefined {
    const known = this.isUnkept(collection, id) ? undefined : this.parts.find<T>({ collection, id }, name);
    if (known) this.uses.addFrom(known.uses);
    return known?.shown;
  }

  private isUnkept(collection: Shown, id: number): boolean {
    return collection === 'posts' && this.unkept.has(id);
  }

  private newUses(): Uses {
    const uses = new Uses();
    // Texts with references may show the results of a query.
    if (this.loaded.references !== NO_LOADED_REFERENCES) uses.addAllPosts(this.parts.state);
    return uses;
  }

  private noting<T>(documents: Known<T>, collection: Shown): Known<T> {
    return {
      get: (id) => {
        this.uses.add(collection, id, this.parts.state);
        return documents.get(id);
      },
    };
  }
}

/** Number of names given so far. */
let names = 0;

/** Short names of texts. A text that was forgotten gets another one. */
const shortName = remembering(() => (names += 1).toString(36), 500_000);

/** Names everything that parts depend on besides documents; those that differ in a single GET have their own names. */
const nameOfView = ({ site, single: _single, ...rest }: Omit<View, 'related'>): string =>
  shortName(`${site.store.state.settings} ${site.url} ${JSON.stringify(rest)}`);

/**
 * Posts as a presenter shows them, or values with the same JSON, in the order of their ids. Rendered posts, and parts that several posts
 * share, are cached until something in them changes; cached posts are not loaded. Missing posts are omitted.
 * @param kind names the presenter
 * @param view without what is related to the posts
 * @param given the posts, if they are loaded; then only the shared parts are cached
 */
export async function shownPosts(
  ids: readonly number[],
  kind: string,
  show: Present,
  view: Omit<View, 'related'>,
  given: readonly Post[] | null = null,
): Promise<object[]> {
  const { store } = view.site;
  const { state, memory } = store;
  const [name, part, since] = [nameOfView(view), partName(kind, view), state.revisionOf()];
  const partsNow = (): Parts => new Parts(memory.parts, state, name, since);
  const shown = new Map<number, object>();
  const parts = partsNow();
  for (const id of given ? [] : ids) {
    const known = parts.find<KnownJson>({ collection: 'posts', id }, part);
    if (known) shown.set(id, known.shown);
  }
  const missing = ids.filter((id) => !shown.has(id));
  if (missing.length > 0) {
    const posts = given ?? (await readPosts(store, missing));
    const loaded = await loadRelated(store, posts);
    // Not parts of a newer version, either.
    const isCurrent = !given && since === state.revisionOf();
    const unkept = new Set(isCurrent ? [] : posts.map(({ _id }) => _id));
    const { related, share, shared } = new Shower(loaded, partsNow(), unkept);
    const whole = { ...view, related, share, shared };
    for (const post of posts)
      shown.set(
        post._id,
        share('posts', post._id, part, () => show(post, whole)),
      );
  }
  return ids.flatMap((id) => shown.get(id) ?? []);
}
