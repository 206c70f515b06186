import { EVENT_CATEGORY } from '../tec/index.js';
import { eventCard, type EventCard } from '../views/card.js';
import { escapeText, trusted, type Html } from '../views/html.js';
import type { Reading } from '../views/reading.js';
import { contentOf } from '../views/texts.js';
import { decodeEntities } from '../wp/formatting/decode-entities.js';
import { excerptOf } from '../wp/formatting/excerpt.js';
import { CATEGORY, TAG, type Post, type User } from '../wp/model.js';
import { guidPath, permalink } from '../wp/permalinks.js';
import { termsOf, type Related } from '../wp/related.js';
import { markedTitle, renderOptions } from '../wp/rendered.js';
import type { FeedItem } from './channel.js';

/** Text without entities, for XML has its own. */
export const plain = ({ text }: Html): string => decodeEntities(text);

const namesOf = (post: Post, taxonomies: readonly string[], related: Related): string[] =>
  taxonomies.flatMap((taxonomy) => termsOf(post, taxonomy, related).map(({ name }) => decodeEntities(name)));

/** When and where, which readers of feeds do not show otherwise, and the beginning of the text. */
function summary(event: EventCard, { dates, texts }: Reading, isOpen: boolean): Html {
  const when = escapeText(dates.span(event.span));
  const zone = event.zone === '' || event.span.allDay ? '' : ` ${escapeText(event.zone)}`;
  const place = event.place.map((part) => part.text).join(', ');
  const text = isOpen ? event.teaser?.text : escapeText(texts.passwordProtected);
  return trusted(
    [`${when}${zone}${place === '' ? '' : ` · ${place}`}`, text].flatMap((line) => (line ? [`<p>${line}</p>`] : [])).join('\n'),
  );
}

/** An event in a feed. A password protects the same parts as in lists. */
export function eventItem(post: Post, related: Related, reading: Reading): FeedItem {
  const event = eventCard(post, related, reading);
  const isOpen = post.password === '';
  return {
    title: plain(event.title),
    url: event.url,
    guid: event.url,
    // TEC: the date of an event is its start.
    date: post.occurrence?.startUtc ?? '',
    modified: post.modifiedGmt,
    categories: isOpen ? namesOf(post, [EVENT_CATEGORY, TAG], related) : [],
    summary: summary(event, reading, isOpen),
    content: isOpen ? contentOf(post, { site: reading.site, related }) : null,
  };
}

/** A blog post in a feed. */
export function postItem(post: Post, related: Related, authors: ReadonlyMap<number, User>, { site, texts }: Reading): FeedItem {
  const isOpen = post.password === '';
  const place = { site, related };
  const excerpt = isOpen
    ? post.excerpt || excerptOf(post.content, undefined, renderOptions(place, post))
    : escapeText(texts.passwordProtected);
  return {
    title: decodeEntities(markedTitle(post)),
    url: permalink(post, site, false),
    guid: decodeEntities(`${site.url}${guidPath(post, site)}`),
    date: post.dateGmt,
    modified: post.modifiedGmt,
    author: authors.get(post.author)?.displayName,
    categories: namesOf(post, [CATEGORY, TAG], related),
    summary: trusted(excerpt),
    content: isOpen ? contentOf(post, place) : null,
  };
}
