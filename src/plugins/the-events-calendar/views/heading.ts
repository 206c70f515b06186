import { EVENT_CATEGORY } from '../model/index.js';
import { escapeText, trusted, type Html } from '../../../wordpress/views/html.js';
import type { Scope } from './listing.js';
import { fillHtml, type Reading } from '../../../wordpress/views/reading.js';
import { lineOf, titleOf } from '../../../wordpress/views/texts.js';

/** The name of a scope as HTML, or null. */
function nameOf(scope: Scope): Html | null {
  switch (scope.kind) {
    case 'all':
      return null;
    case 'featured':
      return null;
    case 'term':
      return lineOf(scope.term.name);
    case 'linked':
      return titleOf(scope.post);
    case 'author':
      return trusted(escapeText(scope.author.displayName));
  }
}

/** The heading of a scope: `Music`, `Events tagged Live`, `Events by Anna`; null for all events. */
export function scopeHeading(scope: Scope, { texts }: Reading): Html | null {
  if (scope.kind === 'featured') return trusted(escapeText(texts.featured));
  const name = nameOf(scope);
  if (!name) return null;
  if (scope.kind === 'author') return fillHtml(texts.eventsBy, { name });
  if (scope.kind === 'term') return fillHtml(scope.term.taxonomy === EVENT_CATEGORY ? texts.eventsIn : texts.eventsTagged, { name });
  return fillHtml(scope.kind === 'linked' && scope.linked === 'venue' ? texts.eventsAt : texts.eventsBy, { name });
}
