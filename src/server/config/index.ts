/** Configuration: one table of options, and the functions that read them from flags, the environment and code. */
export { fromFlags, readArguments } from './file.js';
export { foldedHelp, optionHelp, serverOptionHelp } from './help.js';
export { configFileOf, placeOfOption, configOptions } from './file.js';
export { DEMO_DATASET, OPTIONS, PROXY_OPTIONS, STORE_OPTIONS } from './options.js';
export { fixedUrl, followsRequest, hasTls } from './schemas.js';
export type { Option } from './options.js';
export type { ServerOptions } from './server-options.js';
export { commandOptions, environmentVariable, environmentWarnings, fromEnvironment, resolveOptions, setOptions } from './file.js';
export { ConfigError } from './config-error.js';
