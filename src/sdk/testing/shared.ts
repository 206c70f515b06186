/** Exports of all helpers. */
export * from '../client/index.js';
export {
  UnverifiedError,
  type ClockControl,
  type FaultControl,
  type JournalControl,
  type SnapshotControl,
  type StubControl,
  type StubRule,
} from './control.js';
export { Understudy, type UnderstudyOptions } from './understudy.js';
export type { Credentials, SiteControl } from './site-control.js';
export { IgnoredError, type Allowance, type IgnoredParts, type StrictOptions } from './cypress.js';
export { StrayError, type StrayMode, type StrayRequest } from './stray.js';
export type { Evidence } from './evidence.js';
export type { KeptSite } from './failed.js';
export type { DatasetInput } from './dataset.js';
export type * from '../types/dataset.js';
export type { DatasetFunction } from '../types/dataset-function.js';
export type * from '../types/qa.js';
