/** A usage error or an invalid option; the message has a line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
