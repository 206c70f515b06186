import { PLUGINS } from '../../src/plugins/index.js';
import type { Plugin } from '../../src/plugins/plugin.js';
import { library } from './library/index.js';
import { payments } from './payments.js';
import { tokens } from './tokens.js';

/** Adds the plugins of this folder to `PLUGINS`, as a line in it would. Imported before anything else: names are read at startup. */
(PLUGINS as Plugin[]).push(library, payments, tokens);
