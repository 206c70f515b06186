import type { Quirk } from '../quirks.js';

/** Differences of WordPress from its documented interface, in all releases. */
export const PROFILE_QUIRKS = {
  'links-lead-to-refusals': {
    kind: 'interface',
    off: 'Links point to resources that the caller may read.',
    on: '`wp/v2` links to revisions, draft parents of pages, items of all types and posts by status even if they respond with an error.',
  },
  'never-compressed': {
    kind: 'transport',
    off: 'Responses are compressed for clients that accept it.',
    on: 'Responses are never compressed.',
  },
  'locale-takes-only-user': {
    kind: 'interface',
    off: '`_locale` sets the language of descriptions; `user` is the language of the caller.',
    on: 'Values other than `user` are ignored.',
  },
  'no-language-negotiation': {
    kind: 'transport',
    off: 'The language of descriptions is negotiated by `Accept-Language`.',
    on: 'It is always the language of the site.',
  },
  'no-etags': {
    kind: 'transport',
    off: 'Responses to GET have an ETag, and `If-None-Match` results in 304.',
    on: 'There are no ETags; conditional requests get full responses.',
  },
  'feeds-keep-scripts': {
    kind: 'hole',
    off: 'Feeds contain no scripts and nothing else that could run in a reader.',
    on: 'They contain posts and comments as they are stored, including scripts.',
  },
  'older-zone-names-are-missing': {
    kind: 'situation',
    off: 'Time zones may have names that are kept for compatibility, such as `Asia/Calcutta` and `US/Eastern`.',
    on: 'The machine has no such names, as with Debian 13: they are rejected, and stored ones are read as UTC.',
  },
} as const satisfies Record<string, Quirk>;
