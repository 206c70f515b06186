import { PLUGINS } from '../../src/plugins/index.js';
import type { Plugin } from '../../src/plugins/plugin.js';
import { library } from './library/index.js';
import { payments } from './payments.js';
import { tokens } from './tokens.js';

/**
 * Adds the plugins of this folder to `PLUGINS`, as a line in it would, for one test file. The content of `library` needs a process in which
 * nothing has read the list before.
 */
const added = [library, payments, tokens];
(PLUGINS as Plugin[]).push(...added);
afterAll(() => (PLUGINS as Plugin[]).splice(PLUGINS.indexOf(library), added.length));
