import { load } from './load.js';

/** What `import 'wp-understudy'` gets: the exports of `index.ts`, from the bundle. */
export const { createServer, ConfigError, EngineError } = await load();
