/** Request and response types of the test API (`/__qa`), as qa.json declares them, shared by the server and the client helpers. */

import type { DatasetSite } from './dataset.js';
import type { ErrorBody } from './responses.js';

export type { Delay } from '../../base/text/delay.js';
export type { StubResponse } from '../../base/text/stub-file.js';
export type { Json } from '../../base/values/records.js';
export type * from './qa-types.js';

type Settings = Required<NonNullable<DatasetSite['settings']>>;

/** The settings of a site, by the names in `site.settings` of datasets. Pages are named by their slugs; null: none. */
export type SiteSettings = { [Name in keyof Settings]: Settings[Name] | (Name extends 'front_page' | 'posts_page' ? null : never) };

/** Settings to change; null: as on a new site. */
export type SettingsToSet = { [Name in keyof Settings]?: Settings[Name] | null | undefined };

/** Errors of the test API have the same shape as WordPress errors. */
export type QaErrorBody = ErrorBody;
