import { testCopies } from './plugin-copies.js';

testCopies(48);
