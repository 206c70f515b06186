import { balanceTags } from '../../../wordpress/formatting/comments/balance-tags.js';
import { buildQuery, rawurlencode, urlencode } from '../../../base/php/query-string.js';
import { icon } from '../../../wordpress/pages/parts.js';
import { html, type Html } from '../../../wordpress/views/html.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import type { Span } from '../../../wordpress/views/dates.js';
import type { Site } from '../../../wordpress/site.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { hasViews, type Listing } from '../views/listing.js';
import { feedUrls } from '../views/links.js';

/** Addresses by the name of the program (TEC: its order); `file` has a name in each language. */
export type CalendarLinks = [name: string, url: string][];

const OUTLOOK = [
  ['Outlook 365', 'https://outlook.office.com/owa'],
  ['Outlook Live', 'https://outlook.live.com/owa'],
] as const;

const webcal = (url: string): string => url.replace(/^https?:/, 'webcal:');

/**
 * The addresses at which calendar programs subscribe to a list.
 * @param title of the list; null: the site's own
 * @param own URL of the list
 */
export function subscriptions({ scope, view, from }: Listing, title: string | null, own: string, site: Site): CalendarLinks {
  const isOfCategory = scope.kind === 'term' && scope.term.taxonomy === EVENT_CATEGORY;
  // TEC: a subscription has the upcoming events, whatever the view, from the day that is looked at.
  const feed = (ical: object): string =>
    `${site.url}/?${buildQuery({
      post_type: EVENT,
      ...(isOfCategory ? { [EVENT_CATEGORY]: scope.term.slug } : {}),
      ...(hasViews(scope) && view !== 'list' && from !== null ? { 'tribe-bar-date': from } : {}),
      ...ical,
      eventDisplay: 'list',
    })}`;
  const { download } = feedUrls(own);
  const isGeneral = scope.kind === 'all' || isOfCategory;
  const all = webcal(isGeneral ? feed({ ical: 1 }) : download);
  const name = urlencode([site.options.name, title].filter(Boolean).join(' '));
  return [
    ['Google Calendar', `https://www.google.com/calendar/render?cid=${urlencode(all)}`],
    ['iCalendar', all],
    ...OUTLOOK.map(([program, url]): CalendarLinks[number] => {
      const address = `${urlencode(webcal(isGeneral ? feed({}) : own))}&ical=1`;
      return [program, `${url}?path=/calendar/action/compose&rru=addsubscription&url=${address}&name=${name}`];
    }),
    ['file', download],
  ];
}

/** An event as a calendar program takes it over. `location` is its venue and the address. */
interface Invitation {
  url: string;
  span: Span;
  timezone: string;
  title: string;
  description: string;
  location: string;
}

/** TEC: the bytes of a description after which it ends with the address of the event. */
const MOST_FOR_GOOGLE = 996;
const MOST_FOR_OUTLOOK = 900;

const cut = (text: string, most: number): string | null =>
  Buffer.byteLength(text) > most ? new TextDecoder().decode(Buffer.from(text).subarray(0, most), { stream: true }) : null;

/** The addresses at which calendar programs take over an event. */
export function additions({ url, span, timezone, title, description, location }: Invitation, site: Site): CalendarLinks {
  const { download, subscribe } = feedUrls(url);
  const paragraphs = description.replaceAll('</p>', '</p> ');
  const long = cut(paragraphs, MOST_FOR_GOOGLE);
  const details = long === null ? paragraphs : `${balanceTags(long)} (View Full event Description Here: ${url})`;
  const compact = (time: string): string => time.replaceAll(/[-:]/g, '').replace(' ', 'T');
  const google = [
    ['action', 'TEMPLATE'],
    ['dates', `${compact(span.start)}/${compact(span.end)}`],
    ['text', rawurlencode(title)],
    ['details', urlencode(details)],
    ['location', rawurlencode(location)],
    ['trp', 'false'],
    ['ctz', timezone],
    ['sprop', `website:${site.url}`],
  ].filter(([, value]) => value !== '');
  const plain = description.replaceAll(/<(?!\/?p\b)[^>]*>/gi, '');
  const short = cut(plain, MOST_FOR_OUTLOOK);
  const body = short === null ? plain : `${short} (View Full Event Description Here: ${url})`;
  // TEC: a whole day ends on its last day, at the time at which it starts.
  const end = span.allDay ? `${span.end.slice(0, 10)} ${span.start.slice(11)}` : span.end;
  const outlook = `startdt=${span.start.replace(' ', 'T')}&enddt=${end.replace(' ', 'T')}&location=${rawurlencode(location)}&subject=${rawurlencode(title)}&body=${rawurlencode(body)}`;
  return [
    ['Google Calendar', `https://www.google.com/calendar/event?${google.map((pair) => pair.join('=')).join('&')}`],
    ['iCalendar', subscribe],
    ...OUTLOOK.map(([program, base]): CalendarLinks[number] => [program, `${base}/?path=/calendar/action/compose&rrv=addevent&${outlook}`]),
    ['file', download],
  ];
}

/** A menu of calendar programs. @param label of its button */
export const calendarMenu = (links: CalendarLinks, label: string, { texts }: Reading): Html =>
  html`<div class="tribe-events-c-subscribe-dropdown__container">
    <details class="menu tribe-events-c-subscribe-dropdown">
      <summary class="tribe-events-c-subscribe-dropdown__button">
        ${icon('calendar')}<span class="tribe-events-c-subscribe-dropdown__button-text">${label}</span>
      </summary>
      <div class="tribe-events-c-subscribe-dropdown__content">
        <ul class="tribe-events-c-subscribe-dropdown__list">
          ${links.map(
            ([name, url]) =>
              html`<li class="tribe-events-c-subscribe-dropdown__list-item">
                <a class="tribe-events-c-subscribe-dropdown__list-item-link" href="${url}" rel="noopener noreferrer nofollow noindex"
                  >${name === 'file' ? texts.downloadIcs : name}</a
                >
              </li> `,
          )}
        </ul>
      </div>
    </details>
  </div> `;
