/** Types of what `require('wp-understudy')` gets: the bundle. */
import type * as index from '../index.js' with { 'resolution-mode': 'import' };
export type * from '../index.js' with { 'resolution-mode': 'import' };

export declare const createServer: typeof index.createServer;
export declare const createHandler: typeof index.createHandler;
export declare const ConfigError: typeof index.ConfigError;
export declare const EngineError: typeof index.EngineError;
export declare const IgnoredError: typeof index.IgnoredError;
