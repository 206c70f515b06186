/** A usage error or an invalid option; the message is one line for the user. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
