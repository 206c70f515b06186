import { LINKED } from '../model/event.js';
import type { NamedLink, Reading } from '../../../wordpress/views/reading.js';
import { type EventPage, type VenuePlace, calendarMenu } from './event-data.js';
import { commentsSection } from '../../../wordpress/pages/comments.js';
import { jsonLd } from '../../../wordpress/views/json-ld.js';
import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import { content, external, heading, icon, picture } from '../../../wordpress/pages/parts.js';
import { cards, joined, marks, schedule } from './cards.js';
import { eventDates, timesOf, unnamed } from './names.js';
import { lastDay, wholeDays } from '../tec-v1/schedule.js';
import STATES from './states.json' with { type: 'json' };

/** TEC: the full names of the states of the United States, by their abbreviations. */
const STATE_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(STATES));

const COMMA = trusted(', ');

/** A line of a group. @param name of the class of its value (TEC) */
const item = (label: string, name: string, value: Html | null): Html | null =>
  value && html`<li><span class="label">${label}</span> <span class="${name}">${value}</span></li> `;

const link = ({ title, url }: Omit<NamedLink, 'url'> & { url: string | null }): Html =>
  url === null ? title : html`<a href="${url}">${title}</a>`;

const links = (all: NamedLink[]): Html | null => (all.length === 0 ? null : html`${joined(all.map(link), COMMA)}`);

const group = (kind: string, title: string, lines: (Html | null)[]): Html =>
  html`<div class="tribe-events-meta-group tribe-events-meta-group-${kind}">
    <h2>${title}</h2>
    <ul>
      ${lines}
    </ul>
  </div> `;

/** When an event starts and ends. TEC: the titles are machine-readable. */
function days({ span }: EventPage, reading: Reading): Html {
  const { site, texts } = reading;
  const { day, moment } = eventDates(reading);
  const { multiDayCutoff: cutoff } = site.options.calendar;
  const edge = (label: string, name: string, wall: string, text: string): Html =>
    html`<li>
      <span class="label">${label}</span>
      <abbr
        class="tribe-events-abbr tribe-events-${name} ${name.startsWith('end') ? 'dtend' : 'published dtstart'}"
        title="${wall.slice(0, 10)}"
        >${text}</abbr
      >
    </li> `;
  if (wholeDays(span, cutoff) !== false) {
    const [kind, write] = span.allDay ? ['date', day] : ['datetime', moment];
    const end = span.allDay ? lastDay(span, cutoff) : span.end;
    return html`${edge(texts.start, `start-${kind}`, span.start, write(span.start))} ${edge(texts.end, `end-${kind}`, end, write(end))}`;
  }
  return html`${edge(texts.date, 'start-date', span.start, day(span.start))}
  ${
    span.allDay
      ? null
      : html`<li>
          <span class="label">${texts.time}</span>
          <div class="tribe-events-abbr tribe-events-start-time published" title="${span.end.slice(0, 10)}">
            ${timesOf(span, reading).join('')}
          </div>
        </li> `
  }`;
}

export function addressOf({ address, map }: VenuePlace, { texts }: Reading): Html | null {
  const { address: street, city, region, zip, country } = address;
  const part = (name: string, text: string | undefined): Html | null =>
    text === undefined ? null : html`<span class="tribe-${name}">${text}</span> `;
  const town = city === undefined ? null : html`<span class="tribe-locality">${city}</span><span class="tribe-delimiter">,</span> `;
  const state =
    region === undefined
      ? null
      : html`<abbr class="tribe-region tribe-events-abbr" title="${STATE_NAMES.get(region) ?? region}">${region}</abbr> `;
  const lines = [part('street-address', street), street === undefined ? null : html`<br />`, town, state];
  const all = html`${lines}${part('postal-code', zip)}${part('country-name', country)}`;
  return all.text === '' && map === null
    ? null
    : html`<address class="tribe-events-address">
        <span class="tribe-address">${all}</span> ${
          map && html`<a class="tribe-events-gmap" href="${map}" rel="external noopener nofollow">${texts.showMap}</a>`
        }
      </address>`;
}

interface Contact {
  phone: string;
  email: string;
  website: string;
}

export const phoneLink = (phone: string): Html => html`<a href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a>`;

export const emailLink = (email: string): Html => html`<a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${email}</a>`;

/** How to reach a venue or organizer. @param kind of what it is: the names of the elements (TEC) */
const contact = (kind: string, { phone, email, website }: Contact, label: string, { texts }: Reading): (Html | null)[] => [
  item(texts.phone, `tribe-${kind}-tel`, phone === '' ? null : phoneLink(phone)),
  item(texts.email, `tribe-${kind}-email`, email === '' ? null : emailLink(email)),
  website === '' ? null : html`<li><span class="tribe-${kind}-url">${external(website, label)}</span></li> `,
];

function groups(event: EventPage, reading: Reading): Html {
  const { texts } = reading;
  const { website, cost, categories, tags } = event;
  return html`${group('details', texts.details, [
    days(event, reading),
    html`<li class="quiet">${event.zoneName}</li>`,
    item(texts.cost, 'tribe-events-event-cost', cost),
    item(texts.categories, 'tribe-events-event-categories', links(categories)),
    item(texts.tags, 'tribe-event-tags', links(tags)),
    item(texts.website, 'tribe-events-event-url', website === '' ? null : external(website, website)),
  ])}
  ${event.venues.map((venue) => {
    const address = addressOf(venue, reading);
    return group('venue', texts.venue, [
      html`<li class="tribe-venue">${link(venue)}</li> `,
      address && html`<li class="tribe-venue-location">${address}</li> `,
      ...contact('venue', venue, texts.venueWebsite, reading),
    ]);
  })}
  ${event.linked.map(({ kind, items }) =>
    items.length === 0
      ? null
      : group(kind, texts[items.length === 1 ? kind : LINKED[kind].column], [
          ...items.map((each) => html`<li class="tribe-${kind}">${link(each)}</li> `),
          // TEC: of several, only the names.
          ...(items.length === 1 ? contact(kind, items[0], texts.organizerWebsite, reading) : []),
        ]),
  )}`;
}

/** Links to the events before and after. TEC: on the page of a protected event without their titles. */
const neighbors = ({ previous, next, isHidden }: EventPage): Html => {
  const to = (event: NamedLink | null, write: (title: Html | null) => Html): Html | null =>
    event &&
    html`<a href="${event.url}" ${isHidden ? html` aria-label="${event.title}"` : null}>${write(isHidden ? null : event.title)}</a>`;
  return html`<ul class="tribe-events-sub-nav">
    <li class="tribe-events-nav-previous">${to(previous, (title) => html`<span>«</span> ${title}`)}</li>
    <li class="tribe-events-nav-next">${to(next, (title) => html`${title} <span>»</span>`)}</li>
  </ul>`;
};

/** The page of an event. @param eventsUrl where all of them are */
export const eventPage = (event: EventPage, eventsUrl: string, reading: Reading): Html => {
  const { texts } = reading;
  const { isHidden, cost } = event;
  const text = content(event.content, event.unlocking, reading);
  return html`<div id="tribe-events-content" class="tribe-events-single">
    <header class="page-head">
      <p class="tribe-events-back"><a href="${eventsUrl}">« ${texts.allEvents}</a></p>
      ${marks(event, false, reading)} ${heading(event.title, isHidden ? '' : 'tribe-events-single-event-title')}
      <div class="tribe-events-schedule tribe-clearfix">
        ${
          isHidden
            ? null
            : html`<h2>${icon('calendar')}<time datetime="${event.startsAt}">${schedule(event, reading)}</time></h2>
                ${cost && html`<span class="tribe-events-cost">${cost}</span>`}`
        }
      </div>
      ${event.isPast ? html`<p class="notice tribe-events-notices">${texts.pastEvent}</p> ` : null}
    </header>
    <div id="tribe-events-header">${neighbors(event)}</div>
    <div id="post-${event.id}" class="${event.classNames}">
      <div class="columns">
        <div>
          ${event.picture === null ? null : html`<div class="tribe-events-event-image">${picture(event.picture, '(min-width: 60rem) 46rem, 100vw', { lazy: false, names: 'wp-post-image' })}</div> `}
          <div class="tribe-events-single-event-description tribe-events-content">${text}</div>
        </div>
        <aside class="panel" aria-label="${texts.details}">
          ${isHidden ? null : groups(event, reading)} ${calendarMenu(event.calendars, texts.addToCalendar, reading)}
        </aside>
      </div>
    </div>
    ${
      event.alike.length === 0
        ? null
        : html`<section>
            <h2 class="group">${texts.relatedEvents}</h2>
            ${unnamed(cards(event.alike, reading, { level: 3, first: reading.site.today }))}
          </section> `
    }
    ${commentsSection(event.comments, reading)}
    <nav id="tribe-events-footer" aria-label="${texts.events}">${neighbors(event)}</nav>
  </div>`;
};

/** The metadata in the head of the page of an event. TEC: embeds have no JSON-LD. */
export const eventHead = (event: EventPage, isEmbed: boolean): Html =>
  html`<link rel="canonical" href="${event.url}" /> ${event.jsonLd === null || isEmbed ? null : jsonLd([event.jsonLd])}`;
