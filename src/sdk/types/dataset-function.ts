import type { Dataset } from './dataset.js';

/**
 * A dataset of a module that follows the clock: `export default ({ now }) => ({ events: [...] })`. `now` is the time that relative dates
 * refer to. It is called each time the dataset is read: at the start, on a reload, and when a new time is set for the whole site.
 */
export type DatasetFunction = (clock: { now: Date }) => Dataset | Promise<Dataset>;
