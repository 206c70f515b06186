import { LINKED } from '../model/linked.js';
import type { NamedLink } from '../../../wordpress/views/content.js';
import type { EventPage, VenuePlace } from './event-data.js';
import { commentsSection } from '../../../wordpress/pages/comments.js';
import { jsonLd } from '../../../wordpress/views/json-ld.js';
import { html, type Html } from '../../../wordpress/views/html.js';
import { content, external, heading, icon, linkRow, picture, shortUrl } from '../../../wordpress/pages/parts.js';
import { joined, longDate, marks } from './cards.js';
import { fillHtml, type Reading } from '../../../wordpress/views/reading.js';

const fact = (what: string, value: Html | null): Html | null =>
  value &&
  html`<dt>${what}</dt>
    <dd>${value}</dd> `;

const link = ({ title, url }: NamedLink): Html => html`<a href="${url}">${title}</a>`;

/** Address, telephone and map of a place, a line each. */
export const placeLines = ({ address, phone, map }: VenuePlace, name: Html, { texts }: Reading): Html =>
  html`${address.length === 0 ? null : html`<span class="address">${address.map((line) => html`<span>${line}</span> `)}</span> `}${
    phone === '' ? null : html`<a class="line" href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a> `
  }${
    map === null
      ? null
      : html`<a class="line" href="${map}" rel="external noopener nofollow" title="${fillHtml(texts.mapOf, { name })}">${texts.showMap}</a>`
  }`;

const venue = (each: NamedLink & VenuePlace, reading: Reading): Html =>
  html`<dd>
    <strong>${link(each)}</strong>
    ${placeLines(each, each.title, reading)}
  </dd>`;

function facts(event: EventPage, reading: Reading): Html {
  const { texts } = reading;
  const { venues, linked, website } = event;
  return html`<dl class="facts-list">
    <dt>${texts.when}</dt>
    <dd>
      ${longDate(event, reading)}${event.span.allDay ? html`<span class="line quiet">${texts.allDay}</span>` : null}
      <span class="line quiet">${event.zoneName}</span>
    </dd>
    ${
      venues.length === 0
        ? null
        : html`<dt>${texts.where}</dt>
            ${venues.map((each) => venue(each, reading))}`
    }
    ${fact(texts.cost, event.cost)}
    ${linked.map(({ kind, items }) =>
      fact(texts[items.length === 1 ? kind : LINKED[kind].column], items.length === 0 ? null : html`${joined(items.map(link))}`),
    )}
    ${fact(texts.website, website === '' ? null : external(website, shortUrl(website)))}
    ${fact(texts.categories, event.categories.length === 0 ? null : linkRow(event.categories))}
    ${fact(texts.tags, event.tags.length === 0 ? null : linkRow(event.tags))}
  </dl>`;
}

const neighbours = ({ previous, next }: EventPage, { texts }: Reading): Html | null =>
  previous || next
    ? html`<nav class="pager" aria-label="${texts.events}">
        ${
          previous &&
          html`<a href="${previous.url}" rel="prev"
            >${icon('left')}<span><small>${texts.previousEvent}</small> ${previous.title}</span></a
          > `
        }
        ${
          next &&
          html`<a class="next" href="${next.url}" rel="next"
            ><span><small>${texts.nextEvent}</small> ${next.title}</span>${icon('right')}</a
          > `
        }
      </nav>`
    : null;

/** The page of an event. @param eventsUrl where all of them are */
export const eventPage = (event: EventPage, eventsUrl: string, reading: Reading): Html => {
  const { texts } = reading;
  const text = content(event.content, event.unlocking, reading);
  return html`<article class="event">
    <header class="page-head">
      <p class="crumb"><a href="${eventsUrl}">${texts.allEvents}</a></p>
      ${marks(event, false, reading)} ${heading(event.title)}
      <p class="lead">${icon('calendar')}<span>${longDate(event, reading)}</span></p>
      ${event.isPast ? html`<p class="notice">${texts.pastEvent}</p> ` : null}
    </header>
    <div class="columns">
      ${
        event.picture === null && text === null
          ? null
          : html`<div>
              ${event.picture === null ? null : html`<div class="hero">${picture(event.picture, '(min-width: 60rem) 46rem, 100vw', { lazy: false })}</div> `}
              ${text}
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

/** The metadata in the head of the page of an event. */
export const eventHead = (event: EventPage): Html =>
  html`<link rel="canonical" href="${event.url}" /> ${event.jsonLd === null ? null : jsonLd([event.jsonLd])}`;
