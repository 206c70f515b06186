import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import { icon, picture } from '../../../wordpress/pages/parts.js';
import type { EventCard, EventStatus } from '../views/listing.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { eventDates, partOf } from './names.js';

const zoneOf = ({ span, zone, isHidden }: EventCard, { texts }: Reading): Html | null =>
  zone === '' || span.allDay || isHidden ? null : html` <abbr class="timezone" title="${texts.timeZone}">${zone}</abbr>`;

/** Labels of an event. @param isPast whether to label it as past */
export function marks({ status }: { status: EventStatus }, isPast: boolean, { texts }: Reading): Html | null {
  const all = [
    ...(isPast ? [html`<span class="mark over">${texts.past}</span> `] : []),
    ...(status === 'scheduled' ? [] : [html`<span class="mark warn">${texts[status]}</span> `]),
  ];
  return all.length === 0 ? null : html`<p class="marks">${all}</p>`;
}

/** The label of a featured event, before its date. */
const featuredMark = ({ featured }: { featured: boolean }, { texts }: Reading): Html | null =>
  featured ? html`<em class="mark">${icon('star')}${texts.featured}</em> ` : null;

/** When an event takes place. TEC: not of protected events, but for the day in the attribute. */
export const schedule = ({ span, isHidden }: EventCard, reading: Reading): Html | null =>
  isHidden ? null : eventDates(reading).schedule(span);

/** The title of an event, which leads to its page. @param name its class @param more attributes @param isMain whether the page has no other */
export const titleLink = ({ url, title, fullTitle }: EventCard, name: string, more: Html | null = null, isMain = true): Html =>
  html`<a href="${url}" title="${fullTitle}" ${isMain ? trusted(' rel="bookmark"') : null} class="${name}" ${more}>${title}</a>`;

const costOf = (cost: Html | null, name: string): Html | null =>
  cost &&
  html`<div class="tribe-events-c-small-cta tribe-common-b3 ${name}">
    ${icon('ticket')}<span class="tribe-events-c-small-cta__price">${cost}</span>
  </div> `;

const SEPARATOR = trusted(' <span class="quiet">·</span> ');

export const joined = (parts: Html[], separator = SEPARATOR): Html[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));

/** Options for showing the events of a list. */
export interface Look {
  /** Level of their headings. */
  level?: 3 | 4;
  /** The first day of the list, on which it has the events that began before. */
  first?: string;
  /** Whether to omit the venue, on its page. */
  hidesPlace?: boolean;
  /** Whether to omit the label for past events, in a list of past events. */
  hidesPast?: boolean;
}

/** An event in a list or a day, without the day itself. */
export function eventArticle(
  event: EventCard,
  reading: Reading,
  view: 'list' | 'day',
  { level = 4, hidesPlace = false, hidesPast = false }: Look = {},
): Html {
  const part = (name: string): string => partOf(view, name);
  const title = titleLink(event, `${part('title-link')} tribe-common-anchor-thin`);
  const titleName = `${part('title')} tribe-common-h6 tribe-common-h4--min-medium`;
  const { place } = event;
  const address = place && (view === 'list' ? place.address : place.shortAddress);
  const image =
    event.picture &&
    html`<div class="${part('featured-image-wrapper')} tribe-common-g-col">
      <a class="${part('featured-image-link')}" href="${event.url}" tabindex="-1" aria-hidden="true"
        >${picture(event.picture, '12rem', { decorative: true, titled: true, names: part('featured-image') })}</a
      >
    </div> `;
  return html`<article class="${part('')} tribe-common-g-row tribe-common-g-row--gutters ${event.classNames}">
    ${image}
    <div class="${part('details')} tribe-common-g-col">
      ${marks(event, event.isPast && !hidesPast, reading)}
      <header class="${part('header')}">
        ${level === 4 ? html`<h4 class="${titleName}">${title}</h4>` : html`<h3 class="${titleName}">${title}</h3>`}
        <div class="${part('datetime-wrapper')} tribe-common-b2">
          ${icon('clock')}<span
            >${featuredMark(event, reading)}<time class="${part('datetime')}" datetime="${event.span.start.slice(0, 10)}"
              >${schedule(event, reading)}</time
            ></span
          >
        </div>
        ${zoneOf(event, reading)}
        ${
          place && !hidesPlace
            ? html`<address class="${part('venue')} tribe-common-b2">
                ${icon('pin')}<span
                  ><span class="${part('venue-title')} tribe-common-b2--bold">${place.name}</span>${
                    address && html` <span class="${part('venue-address')}">${address}</span>`
                  }</span
                >
              </address> `
            : null
        }
      </header>
      ${event.teaser && html`<div class="${part('description')} tribe-common-b2 tribe-common-a11y-hidden"><p>${event.teaser}</p></div> `}
      ${costOf(event.cost, part('cost'))}
    </div>
  </article> `;
}

/** The day of an event in a list. TEC: its classes are those of the event. */
function badge({ span, classNames }: EventCard, { first = '' }: Look, { dates }: Reading): Html {
  const start = span.start.slice(0, 10);
  const shown = start < first ? first : start;
  const { weekday, day, month } = dates.badge(shown);
  return html`<div class="${partOf('list', 'date-tag')} tribe-common-g-col ${classNames}">
    <time class="${partOf('list', 'date-tag-datetime')}" datetime="${shown}" aria-hidden="true"
      ><span class="${partOf('list', 'date-tag-weekday')}">${weekday}</span
      ><span class="${partOf('list', 'date-tag-daynum')} tribe-common-h5 tribe-common-h4--min-medium">${day}</span
      ><span>${month}</span></time
    >
  </div>`;
}

export const listRow = (event: EventCard, reading: Reading, look: Look = {}): Html =>
  html`<li class="tribe-common-g-row ${partOf('list', 'row')}${event.featured ? ` ${partOf('list', 'row--featured')}` : ''}">
    ${badge(event, look, reading)}
    <div class="${partOf('list', 'wrapper')} tribe-common-g-col">${eventArticle(event, reading, 'list', look)}</div>
  </li> `;

/** The events of a list below another heading than those of months. */
export const cards = (events: EventCard[], reading: Reading, look: Look = {}): Html =>
  html`<div class="cards">
    <ul class="tribe-events-calendar-list">
      ${events.map((event) => listRow(event, reading, { level: 3, ...look }))}
    </ul>
  </div>`;
