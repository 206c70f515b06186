/** Exports of all helpers. */
export * from '../client/index.js';
export { UnverifiedError, type ClockControl, type FaultControl, type JournalControl, type SnapshotControl } from './control.js';
export { Understudy, type UnderstudyOptions } from './understudy.js';
export type * from '../qa-types.js';
