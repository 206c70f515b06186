const failure = (code: string, message: string, status: number) => ({ code, message, data: { status } });

/** Bodies of responses to what no route expects. */
export const FAILURES = {
  tooLarge: failure('rest_request_too_large', 'The request body is too large.', 413),
  /** The response would repeat the address in headers that are longer than clients read. */
  uriTooLong: failure('rest_request_uri_too_long', 'The address is too long.', 414),
  /** PHP: an error that nothing catches. */
  critical: failure('internal_server_error', '<p>There has been a critical error on this website.</p>', 500),
  /** The same in the test API. */
  failed: failure('understudy_failed', 'Internal error. See the log of the server.', 500),
  /** Sent with `Retry-After`. */
  noDatabase: failure('understudy_no_database', 'The database does not respond. Try again.', 503),
  /** Response of an ephemeral site without its database. */
  noEngine: failure('understudy_no_database', 'The site needs a database, and none could be started. See the log of the server.', 503),
  diskFull: failure('understudy_disk_full', 'The disk is full. Reads still work.', 507),
};
