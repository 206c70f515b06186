import { testSettingCopies } from './setting-copies.js';

testSettingCopies(['permalinks-blog'], 1, true);
