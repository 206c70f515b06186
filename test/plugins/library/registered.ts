import { PLUGINS } from '../../../src/plugins/index.js';
import type { Plugin } from '../../../src/plugins/plugin.js';
import { library } from './index.js';

/** Adds the plugin to `PLUGINS`, as a line in it would, before another module reads the list. */
(PLUGINS as Plugin[]).push(library);
