/** Configuration: one table of options, and the functions that read them from flags, the environment and code. */
export { fromFlags, readArguments, type Arguments } from './arguments.js';
export { optionHelp } from './help.js';
export {
  DEMO_DATASET,
  fixedUrl,
  followsRequest,
  LOG_LEVELS,
  OPTIONS,
  STORE_OPTIONS,
  type LogFormat,
  type LogLevel,
  type Option,
  type ServerOptions,
} from './options.js';
export { checkNode, environmentVariable, fromEnvironment, resolveOptions } from './resolve.js';
export { ConfigError } from './values.js';
