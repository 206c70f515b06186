import { PLUGINS } from '../../src/plugins/index.js';
import type { Plugin } from '../../src/plugins/plugin.js';
import { payments } from './payments.js';
import { tokens } from './tokens.js';

/** Adds the plugins of one file to `PLUGINS`, as a line in it would, for one test file. */
const added = [payments, tokens];
(PLUGINS as Plugin[]).push(...added);
afterAll(() => (PLUGINS as Plugin[]).splice(PLUGINS.indexOf(payments), added.length));
