import { KnownJson } from '../../../base/php/json.js';
import { FragmentCache, Dependencies, type FragmentSource } from '../../../database/memory/fragments.js';
import { Clock } from '../../../wordpress/clock.js';
import { memoized } from '../../../wordpress/formatting/memo.js';
import { NO_LOADED_REFERENCES } from '../../../wordpress/posts/references.js';
import { loadRelated, type Related } from '../../../wordpress/posts/related.js';
import type { Known, Post } from '../../../wordpress/model.js';
import { readPosts } from '../../../wordpress/posts/posts.js';
import { fragmentName, withoutCache, type Fragment, type View } from './view.js';

type Present = (post: Post, view: View) => object;

/** Renders fragments, records which documents each depends on, and caches the fragments that do not depend on the time. */
class CachingRenderer {
  readonly related: Related;
  private dependencies: Dependencies;

  /** @param uncached posts that may have changed since they were loaded: their fragments bypass the cache */
  constructor(
    private readonly loaded: Related,
    private readonly fragments: FragmentCache,
    private readonly uncached: ReadonlySet<number>,
    /** Whether plugins add the results of queries of posts. */
    private readonly dependsOnAll: boolean,
  ) {
    this.dependencies = this.newDependencies();
    this.related = { ...loaded, posts: this.tracking(loaded.posts, 'posts'), terms: this.tracking(loaded.terms, 'terms') };
  }

  readonly cachedFragment = (collection: FragmentSource, id: number, name: string): KnownJson | undefined => {
    const known = this.find(collection, id, name);
    return known instanceof KnownJson ? known : undefined;
  };

  readonly fragment: Fragment = (collection, id, name, make) => {
    const known = this.find<ReturnType<typeof make>>(collection, id, name);
    if (known !== undefined) return known;
    if (this.isUncached(collection, id)) return make();
    const { dependencies: outer } = this;
    const { readings } = Clock;
    const own = (this.dependencies = this.newDependencies());
    const shown = make();
    this.dependencies = outer;
    outer.addFrom(own);
    if (readings !== Clock.readings) return shown;
    const isJson = typeof shown === 'object' && shown !== null;
    const part = isJson ? (KnownJson.of(shown) as typeof shown & KnownJson) : shown;
    const size = part instanceof KnownJson ? part.size : typeof part === 'string' ? part.length : 0;
    this.fragments.store({ collection, id }, name, part, own, size);
    return part;
  };

  private find<T>(collection: FragmentSource, id: number, name: string): T | undefined {
    const known = this.isUncached(collection, id) ? undefined : this.fragments.find<T>({ collection, id }, name);
    if (known) this.dependencies.addFrom(known.dependencies);
    return known?.value;
  }

  private isUncached(collection: FragmentSource, id: number): boolean {
    return collection === 'posts' && this.uncached.has(id);
  }

  private newDependencies(): Dependencies {
    const uses = new Dependencies();
    // Texts with references may contain the results of a query.
    if (this.loaded.references !== NO_LOADED_REFERENCES || this.dependsOnAll) uses.addAllPosts(this.fragments.state);
    return uses;
  }

  private tracking<T>(documents: Known<T>, collection: FragmentSource): Known<T> {
    return {
      get: (id) => {
        this.dependencies.add(collection, id, this.fragments.state);
        return documents.get(id);
      },
    };
  }
}

/** Number of short names so far. */
let shortNames = 0;

/** Short names of texts. A text that was evicted gets a new one. */
const shortName = memoized(() => (shortNames += 1).toString(36), 500_000);

/** Identifies everything that fragments depend on besides documents; `fragmentName` distinguishes a single GET. */
const viewKey = ({ site, single: _single, ...rest }: Omit<View, 'related'>): string =>
  shortName(`${site.store.state.settings} ${site.url} ${JSON.stringify(rest)}`);

/** Renders posts for a caller with a password, without caches: each guess is counted. */
async function openedPosts(posts: readonly Post[], ids: readonly number[], show: Present, view: Omit<View, 'related'>): Promise<object[]> {
  const whole = { ...view, related: await loadRelated(view.site.store, posts) };
  const shown = new Map(posts.map((post) => [post._id, show(post, whole)]));
  return ids.flatMap((id) => shown.get(id) ?? []);
}

/**
 * Renders posts with a presenter, in the order of their ids. Rendered posts, and fragments that several posts share, are cached until
 * something in them changes; cached posts are not loaded. Missing posts are omitted.
 * @param kind name of the presenter
 * @param view without what is related to the posts
 * @param given the posts, if they are loaded; then only shared fragments are cached
 * @returns for each post what `show` returns, or a value with the same JSON
 */
export async function renderPosts(
  ids: readonly number[],
  kind: string,
  show: Present,
  view: Omit<View, 'related'>,
  given: readonly Post[] | null = null,
): Promise<object[]> {
  const { shared } = view.site;
  if (!shared || view.password !== null) return renderFor(ids, kind, show, view, given);
  const shown = await renderFor(ids, kind, show, { ...view, site: shared.site }, given);
  return shown.map((each) => (each instanceof KnownJson ? each : KnownJson.of(each)).renamed(shared.any, shared.name));
}

/** The same for one site, or for all sandboxes. */
async function renderFor(
  ids: readonly number[],
  kind: string,
  show: Present,
  view: Omit<View, 'related'>,
  given: readonly Post[] | null,
): Promise<object[]> {
  const { store } = view.site;
  if (view.password !== null) return openedPosts(given ?? (await readPosts(store, [...ids])), ids, show, view);
  const { state, memory } = store;
  const [name, part, since] = [viewKey(view), fragmentName(kind, view), state.revisionOf()];
  const newCache = (): FragmentCache => new FragmentCache(memory.fragments, state, name, since);
  const shown = new Map<number, object>();
  const parts = newCache();
  for (const id of given ? [] : ids) {
    const known = parts.find<KnownJson>({ collection: 'posts', id }, part);
    if (known) shown.set(id, known.value);
  }
  const missing = ids.filter((id) => !shown.has(id));
  if (missing.length > 0) {
    const posts = given ?? (await readPosts(store, missing));
    const loaded = await loadRelated(store, posts);
    // Posts that the caller loaded may have changed before `since`.
    // What blocks of texts show may be of other users, terms or comments.
    const isAsking = loaded.references.answers.size > 0;
    const unkept = new Set(isAsking ? ids : given?.map(({ _id }) => _id));
    const { related, fragment, cachedFragment } = new CachingRenderer(
      loaded,
      newCache(),
      unkept,
      store.registry.hooks('related').length > 0,
    );
    // After a write, fragments in the cache may be newer than what was loaded. The type rejects what is called by another name.
    const isCurrent = since === state.revisionOf();
    const whole: View = isCurrent ? { ...view, related, fragment, cachedFragment } : { ...view, related: loaded };
    const { fragment: share = withoutCache } = whole;
    for (const post of posts)
      shown.set(
        post._id,
        share('posts', post._id, part, () => show(post, whole)),
      );
  }
  return ids.flatMap((id) => shown.get(id) ?? []);
}
