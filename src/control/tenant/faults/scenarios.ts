import { lookup } from '../../../base/values/records.js';
import type { FaultScenario } from '../../../sdk/types/qa.js';
import scenarios from './scenarios.json' with { type: 'json' };

/** Requests below the REST root, however it is addressed. */
export const REST = '^/(?:index\\.php/)?wp-json(?:/|$)|[?&]rest_route=';

/** Scenarios that every server has. Those with chance have seeds, so that they run the same every time. */
export const BUILT_IN = lookup(scenarios as unknown as Readonly<Record<string, FaultScenario>>);
