import { KnownJson, phpJsonBytes } from '../php/json.js';
import { Clock } from '../wp/clock.js';
import { readPosts } from '../wp/posts.js';
import { NO_LOADED_REFERENCES } from '../wp/references.js';
import { loadRelated, type Related } from '../wp/related.js';
import type { Known, Post } from '../wp/model.js';
import type { State } from '../memory/state.js';
import type { Store } from '../wp/store.js';
import { Uses, type Shown } from './uses.js';
import type { Share, View } from './view.js';

/** What a presenter made, and what it looked at. */
interface Fragment<T = unknown> {
  shown: T;
  uses: Uses;
}

type Present = (post: Post, view: View) => object;

/** A presenter looks at a document that was not loaded, since its parts were known. */
class NotLoaded extends Error {}

/** Shows a post, in JSON, and takes note of what that depends on, besides the post and the view. Null if it depends on the time too. */
function present(post: Post, view: View, show: Present, fragments: Fragments): { json: Buffer; uses: Uses | null } {
  const { state } = fragments;
  const { posts, terms, references } = view.related;
  const newUses = (): Uses => {
    const made = new Uses();
    // Texts that refer to others may show what is found by a query.
    if (references !== NO_LOADED_REFERENCES) made.addAllPosts(state);
    return made;
  };
  let uses = newUses();
  const noting = <T>(documents: Known<T>, collection: Shown): Known<T> => ({
    get: (id) => {
      uses.add(collection, id, state);
      return documents.get(id);
    },
  });
  const related: Related = { posts: noting(posts, 'posts'), terms: noting(terms, 'terms'), references };
  const { readings } = Clock;
  const share: Share = (collection, id, name, make) => {
    const known = fragments.findPart<ReturnType<typeof make>>({ collection, id, name });
    if (known) {
      uses.addFrom(known.uses);
      return known.shown;
    }
    const outer = uses;
    const own = (uses = newUses());
    const shown = make();
    uses = outer;
    uses.addFrom(own);
    if (readings !== Clock.readings || !fragments.areKept) return shown;
    const part = typeof shown === 'object' && shown !== null ? (new KnownJson(phpJsonBytes(shown)) as typeof shown & KnownJson) : shown;
    fragments.keepPart({ collection, id, name }, { shown: part, uses: own });
    return part;
  };
  const json = phpJsonBytes(show(post, { ...view, related, share }));
  return { json, uses: readings === Clock.readings ? uses : null };
}

/** Estimated bytes of kept JSON besides its text. */
const BUFFER_BYTES = 250;

const sizeOf = ({ shown, uses }: Fragment): number => {
  const { length } = shown instanceof KnownJson ? shown.json : Buffer.isBuffer(shown) || typeof shown === 'string' ? shown : '';
  return BUFFER_BYTES + length + uses.bytes;
};

/** What a fragment shows: a document, by collection and id, and what of it. */
interface Subject {
  collection: Shown;
  id: number;
  name: string;
}

/** What is shown of a document as part of others, by name. */
type Parts = ReadonlyMap<string, Fragment>;

/** The fragments that one kind of view needs. */
class Fragments {
  readonly state: State;
  private readonly view: number;
  private readonly since: string;
  /** Parts that were found since the last `await`, by collection and id: most are shown several times on a page. */
  private readonly found = { posts: new Map<number, Parts>(), terms: new Map<number, Parts>() };

  /** @param view names everything that a presenter may look at besides documents */
  constructor(
    private readonly store: Store,
    view: string,
  ) {
    this.view = numberOf(view);
    this.state = store.state;
    this.since = this.state.revisionOf();
  }

  /** False where nothing is kept, and after something was written since the documents were loaded. */
  get areKept(): boolean {
    return !this.store.shared && this.since === this.state.revisionOf();
  }

  find(subject: Subject): Fragment<Buffer> | undefined {
    const known = this.store.memory.fragments.get(this.placeOf(subject)) as Fragment<Buffer> | undefined;
    return known?.uses.holdIn(this.state) === true ? known : undefined;
  }

  keep(subject: Subject, fragment: Fragment<Buffer>): void {
    if (this.areKept) this.store.memory.fragments.set(this.placeOf(subject), fragment, sizeOf(fragment));
  }

  /** Has parts looked for again: call it after every `await`. */
  forgetFound(): void {
    this.found.posts.clear();
    this.found.terms.clear();
  }

  findPart<T>({ collection, id, name }: Subject): Fragment<T> | undefined {
    const found = this.found[collection];
    const parts = found.get(id) ?? this.partsOf(collection, id);
    if (!parts) return undefined;
    found.set(id, parts);
    const known = parts.get(name) as Fragment<T> | undefined;
    return known?.uses.holdIn(this.state) === true ? known : undefined;
  }

  /** Call it only if fragments are kept. */
  keepPart({ collection, id, name }: Subject, fragment: Fragment): void {
    const parts = new Map(this.found[collection].get(id) ?? this.partsOf(collection, id)).set(name, fragment);
    const size = [...parts.values()].reduce((sum, part) => sum + sizeOf(part), 0);
    this.store.memory.fragments.set(this.placeOf({ collection, id, name: 'parts' }), parts, size);
    this.found[collection].set(id, parts);
  }

  /** Whether parts of a post are known. Those that it does not have are not asked for as a rule. */
  hasParts(id: number): boolean {
    const parts = this.partsOf('posts', id);
    return parts !== undefined && [...parts.values()].every(({ uses }) => uses.holdIn(this.state));
  }

  private partsOf(collection: Shown, id: number): Parts | undefined {
    return this.store.memory.fragments.get(this.placeOf({ collection, id, name: 'parts' })) as Parts | undefined;
  }

  private placeOf({ collection, id, name }: Subject): string {
    return `${id} ${this.state.versionOf(collection, id)} ${collection} ${name} ${this.view}`;
  }
}

/** Numbers of views by name: names are long, and part of every key. */
const views = new Map<string, number>();
const MOST_VIEWS = 1_000;
let lastView = 0;

/** The number of a view, which is never that of another one. */
function numberOf(name: string): number {
  const given = views.get(name);
  if (given !== undefined) return given;
  // Passwords that come with requests are part of names.
  if (views.size >= MOST_VIEWS) views.clear();
  lastView += 1;
  views.set(name, lastView);
  return lastView;
}

const nameOfView = ({ site, ...rest }: Omit<View, 'related'>): string => `${site.store.state.settings} ${site.url} ${JSON.stringify(rest)}`;

/** Loads what is related to posts, but for documents of which all parts that will be asked for seem to be known. */
async function loadOthers(
  posts: readonly Post[],
  atHand: readonly Post[],
  store: Store,
  isKnown: (id: number) => boolean,
): Promise<Related> {
  const loaded = new Map(atHand.map((post) => [post._id, post]));
  const skipped = new Set<number>();
  const find = async (ids: number[]): Promise<Post[]> => {
    const others = ids.filter((id) => !loaded.has(id));
    for (const id of others) if (isKnown(id)) skipped.add(id);
    const needed = others.filter((id) => !skipped.has(id));
    for (const post of await readPosts(store, needed)) loaded.set(post._id, post);
    return ids.flatMap((id) => loaded.get(id) ?? []);
  };
  const related = await loadRelated(store, posts, find);
  const get = (id: number): Post | undefined => {
    if (skipped.has(id)) throw new NotLoaded();
    return related.posts.get(id);
  };
  return { ...related, posts: { get } };
}

/**
 * Posts as a presenter shows them, in JSON, by id. Nothing is loaded for those that were shown before, until something changes that they
 * show. Posts that do not exist are left out.
 * @param kind names the presenter
 * @param view without what is related to the posts
 * @param given the posts, if they are loaded already; then nothing is kept
 */
export async function shownPosts(
  ids: readonly number[],
  kind: string,
  show: Present,
  view: Omit<View, 'related'>,
  given: Post[] | null = null,
): Promise<ReadonlyMap<number, Buffer>> {
  const { store } = view.site;
  const fragments = new Fragments(store, nameOfView(view));
  const shown = new Map<number, Buffer>();
  const subject = (id: number): Subject => ({ collection: 'posts', id, name: kind });
  for (const id of ids) {
    const known = given ? undefined : fragments.find(subject(id));
    if (known) shown.set(id, known.shown);
  }
  const missing = ids.filter((id) => !shown.has(id));
  if (missing.length === 0) return shown;

  const isKnown = (id: number): boolean => fragments.hasParts(id);
  // What they are linked to is read in the same step, as far as that is known.
  const withLinked = (): number[] => [...new Set([...missing, ...store.shownWith(missing).filter((id) => !isKnown(id))])];
  const atHand = given ?? (await readPosts(store, withLinked()));
  const posts = atHand.filter(({ _id }) => missing.includes(_id));
  const showAll = async (isSkipped: (id: number) => boolean): Promise<void> => {
    const whole = { ...view, related: await loadOthers(posts, atHand, store, isSkipped) };
    fragments.forgetFound();
    for (const post of posts) {
      const { json, uses } = present(post, whole, show, fragments);
      shown.set(post._id, json);
      if (uses && !given) fragments.keep(subject(post._id), { shown: json, uses });
    }
  };
  try {
    await showAll(isKnown);
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error;
    await showAll(() => false);
  }
  return shown;
}
