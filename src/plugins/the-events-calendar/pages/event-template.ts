import { LINKED } from '../model/linked.js';
import type { NamedLink } from '../../../wordpress/views/content.js';
import type { EventPage, VenuePlace } from './event-data.js';
import { commentsSection } from '../../../wordpress/pages/comments.js';
import { jsonLd } from '../../../wordpress/views/json-ld.js';
import { html, type Html } from '../../../wordpress/views/html.js';
import { content, external, heading, icon, linkRow, picture, shortUrl } from '../../../wordpress/pages/parts.js';
import { joined, longDate, marks } from './cards.js';
import { schedule } from './names.js';
import { fillHtml, type Reading } from '../../../wordpress/views/reading.js';

/** @param name of its element (TEC) */
const fact = (what: string, name: string, value: Html | null): Html | null =>
  value &&
  html`<dt>${what}</dt>
    <dd class="${name}">${value}</dd> `;

const link = ({ title, url }: NamedLink): Html => html`<a href="${url}">${title}</a>`;

/** When an event starts and ends. TEC: the titles are machine-readable. */
const days = (event: EventPage, reading: Reading): Html => {
  const [start, end] = [event.span.start, event.span.end].map((moment) => moment.slice(0, 10));
  return html`<abbr class="tribe-events-abbr tribe-events-start-date published dtstart" title="${start}">${longDate(event, reading)}</abbr
    ><abbr class="hidden tribe-events-abbr tribe-events-end-date dtend" title="${end}" aria-hidden="true">${reading.dates.day(end)}</abbr>`;
};

const addressLine = (parts: VenuePlace['address'][number]): Html =>
  html`<span
    >${parts.map(({ name, text }, index) => html`${index === 0 ? null : ' '}<span class="whole tribe-${name}">${text}</span>`)}</span
  > `;

/** Address, telephone and map of a place, a line each. */
export const placeLines = ({ address, phone, map }: VenuePlace, name: Html, { texts }: Reading): Html =>
  html`${address.length === 0 ? null : html`<span class="address tribe-address">${address.map(addressLine)}</span> `}${
    phone === '' ? null : html`<a class="line tribe-venue-tel" href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a> `
  }${
    map === null
      ? null
      : html`<a class="line tribe-events-gmap" href="${map}" rel="external noopener nofollow" title="${fillHtml(texts.mapOf, { name })}"
          >${texts.showMap}</a
        >`
  }`;

const venue = (each: NamedLink & VenuePlace, reading: Reading): Html =>
  html`<dd class="tribe-events-meta-group-venue tribe-venue-location">
    <strong class="tribe-venue">${link(each)}</strong>
    ${placeLines(each, each.title, reading)}
  </dd>`;

function facts(event: EventPage, reading: Reading): Html {
  const { texts } = reading;
  const { venues, linked, website } = event;
  return html`<dl class="facts-list tribe-events-event-meta">
    <dt class="tribe-events-start-date-label">${texts.when}</dt>
    <dd class="tribe-events-meta-group-details">
      ${days(event, reading)}${event.span.allDay ? html`<span class="line quiet">${texts.allDay}</span>` : null}
      <span class="line quiet">${event.zoneName}</span>
    </dd>
    ${
      venues.length === 0
        ? null
        : html`<dt>${texts.where}</dt>
            ${venues.map((each) => venue(each, reading))}`
    }
    ${fact(texts.cost, 'tribe-events-event-cost', event.cost)}
    ${linked.map(({ kind, items }) =>
      fact(
        texts[items.length === 1 ? kind : LINKED[kind].column],
        `tribe-events-meta-group-${kind} tribe-${kind}`,
        items.length === 0 ? null : html`${joined(items.map(link))}`,
      ),
    )}
    ${fact(texts.website, 'tribe-events-event-url', website === '' ? null : external(website, shortUrl(website)))}
    ${fact(texts.categories, 'tribe-events-event-categories', event.categories.length === 0 ? null : linkRow(event.categories))}
    ${fact(texts.tags, 'tribe-event-tags', event.tags.length === 0 ? null : linkRow(event.tags))}
  </dl>`;
}

const neighbours = ({ previous, next }: EventPage, { texts }: Reading): Html | null =>
  previous || next
    ? html`<nav class="pager tribe-events-nav-pagination" aria-label="${texts.events}">
        <ul class="whole tribe-events-sub-nav">
          ${
            previous &&
            html`<li class="whole tribe-events-nav-previous">
              <a href="${previous.url}" rel="prev"
                >${icon('left')}<span><small>${texts.previousEvent}</small> ${previous.title}</span></a
              >
            </li> `
          }
          ${
            next &&
            html`<li class="whole tribe-events-nav-next">
              <a class="next" href="${next.url}" rel="next"
                ><span><small>${texts.nextEvent}</small> ${next.title}</span>${icon('right')}</a
              >
            </li> `
          }
        </ul>
      </nav>`
    : null;

/** The page of an event. @param eventsUrl where all of them are */
export const eventPage = (event: EventPage, eventsUrl: string, reading: Reading): Html => {
  const { texts } = reading;
  const text = content(event.content, event.unlocking, reading);
  return html`<article id="tribe-events-content" class="event tribe-events-single ${event.classNames}">
    <header class="page-head">
      <p class="crumb tribe-events-back"><a href="${eventsUrl}">${texts.allEvents}</a></p>
      ${marks(event, false, reading)} ${heading(event.title, 'tribe-events-single-event-title')}
      <div class="lead tribe-events-schedule">
        ${icon('calendar')}
        <h2><time datetime="${event.startsAt}">${schedule(event.span, reading)}</time></h2>
      </div>
      ${event.isPast ? html`<p class="notice tribe-events-notices">${texts.pastEvent}</p> ` : null}
    </header>
    <div class="columns">
      ${
        event.picture === null && text === null
          ? null
          : html`<div>
              ${event.picture === null ? null : html`<div class="hero tribe-events-event-image">${picture(event.picture, '(min-width: 60rem) 46rem, 100vw', { lazy: false, names: 'wp-post-image' })}</div> `}
              ${text && html`<div class="whole tribe-events-single-event-description tribe-events-content">${text}</div>`}
            </div>`
      }
      <aside class="panel" aria-label="${texts.details}">
        ${facts(event, reading)}
        <p><a class="button" href="${event.calendarUrl}">${icon('calendar')} ${texts.addToCalendar}</a></p>
      </aside>
    </div>
    ${commentsSection(event.comments, reading)} ${neighbours(event, reading)}
  </article>`;
};

/** The metadata in the head of the page of an event. TEC: embeds have no JSON-LD. */
export const eventHead = (event: EventPage, isEmbed: boolean): Html =>
  html`<link rel="canonical" href="${event.url}" /> ${event.jsonLd === null || isEmbed ? null : jsonLd([event.jsonLd])}`;
