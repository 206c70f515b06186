import { SETTINGS } from '../conformance/settings.mjs';
import { testSettingCopies } from './setting-copies.js';

// Without its API, the calendar cannot be copied.
testSettingCopies(
  Object.keys(SETTINGS).filter((name) => name !== 'tec-rest-off'),
  1,
);
