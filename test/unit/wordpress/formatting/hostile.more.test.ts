import { NEWEST_RULES, OLDEST_RULES } from '../../../support/rules.js';
import { testHostileText } from './kses-hostile.js';
import { testHostileContent } from './content-hostile.js';

describe.each([
  ['oldest', OLDEST_RULES],
  ['newest', NEWEST_RULES],
])('hostile text in the %s release', (_release, rules) => testHostileText(rules));

describe('hostile texts are shown in linear time', () => testHostileContent());
