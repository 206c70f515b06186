import type { ServerOptions } from './server-options.js';

/** Contents of a configuration file: the options of `createServer`. Relative paths are relative to the file. */
export type Config = Partial<Omit<ServerOptions, 'config'>>;

/** Exports of a configuration file: the options, or a function that returns them. */
export type ConfigExport = Config | Promise<Config> | (() => Config | Promise<Config>);

/** Returns its argument, for completion in editors: `export default defineConfig({ dataset: 'calendar.json' })`. */
export const defineConfig = <T extends ConfigExport>(config: T): T => config;
