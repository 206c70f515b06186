import type { Store } from '../../wp/store.js';

/** The option that says on which address the stored links are. WP: `home`. */
export const HOME_OPTION = 'home';
/** The moment that the content is about, ms since 1970 UTC. */
export const CLOCK_OPTION = 'understudy_clock';
/** Address of the site that the content comes from, without trailing slash. */
export const SOURCE_OPTION = 'understudy_source';

async function storedOption<T>(store: Store, name: string, isOne: (value: unknown) => value is T): Promise<T | null> {
  const value: unknown = (await store.options.findOne({ _id: name }))?.value;
  return isOne(value) ? value : null;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Address that the stored links lead to; null when nothing is stored. */
export const storedHome = (store: Store): Promise<string | null> => storedOption(store, HOME_OPTION, isText);

/** Address of the site that the content was recorded from; null when it comes from none. */
export const storedSource = (store: Store): Promise<string | null> => storedOption(store, SOURCE_OPTION, isText);

/** The moment that the content is about; null when it has none. */
export const storedClock = (store: Store): Promise<number | null> => storedOption(store, CLOCK_OPTION, isNumber);
