import type { Store } from '../../wordpress/store.js';

/** WP: the option with the URL of the site, which the stored links start with. */
export const HOME_OPTION = 'home';
/** The option with the time at which the clock is frozen, ms since 1970 UTC. */
export const CLOCK_OPTION = 'understudy_clock';
/** The option with the URL of the site that the content comes from, without trailing slash. */
export const SOURCE_OPTION = 'understudy_source';

async function storedOption<T>(store: Store, name: string, isOne: (value: unknown) => value is T): Promise<T | null> {
  const value: unknown = (await store.allOptions()).find(({ _id }) => _id === name)?.value;
  return isOne(value) ? value : null;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The URL that the stored links start with; null if the store is empty. */
export const storedHome = (store: Store): Promise<string | null> => storedOption(store, HOME_OPTION, isText);

/** The URL of the site that the content comes from, or null. */
export const storedSource = (store: Store): Promise<string | null> => storedOption(store, SOURCE_OPTION, isText);

/** The time at which the clock of the content is frozen, or null. */
export const storedClock = (store: Store): Promise<number | null> => storedOption(store, CLOCK_OPTION, isNumber);
