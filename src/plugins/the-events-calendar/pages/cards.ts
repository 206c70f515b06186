import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import { icon, picture, type DRAWINGS } from '../../../wordpress/pages/parts.js';
import type { EventCard, EventStatus } from '../views/card.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { shownDays } from './month.js';

const moment = (machine: string, text: string): Html => (machine === '' ? html`${text}` : html`<time datetime="${machine}">${text}</time>`);

/** When an event takes place, in full. */
export const longDate = ({ span, startsAt }: EventCard, { dates }: Reading): Html => moment(startsAt, dates.span(span));

const shortDate = ({ span, startsAt, zone }: EventCard, { dates, texts }: Reading): Html =>
  html`${moment(startsAt, dates.shortSpan(span))}${zone === '' || span.allDay ? null : html` <abbr title="${texts.timeZone}">${zone}</abbr>`}${
    span.allDay ? html` <span class="quiet">· ${texts.allDay}</span>` : null
  }`;

/** Labels of an event. @param isPast whether to label it as past */
export function marks({ featured, status }: { featured: boolean; status: EventStatus }, isPast: boolean, { texts }: Reading): Html | null {
  const all = [
    ...(isPast ? [html`<span class="mark over">${texts.past}</span> `] : []),
    ...(status === 'scheduled' ? [] : [html`<span class="mark warn">${texts[status]}</span> `]),
    ...(featured ? [html`<span class="mark">${icon('star')}${texts.featured}</span> `] : []),
  ];
  return all.length === 0 ? null : html`<p class="marks">${all}</p>`;
}

const badge = ({ badge: { weekday, day, month } }: EventCard): Html =>
  html`<p class="badge" aria-hidden="true"><span>${weekday}</span><b>${day}</b><span>${month}</span></p>`;

const SEPARATOR = trusted(' <span class="quiet">·</span> ');

export const joined = (parts: Html[]): Html[] => parts.flatMap((part, index) => (index === 0 ? [part] : [SEPARATOR, part]));

/** Options for showing the events of a list. */
export interface Look {
  /** Level of their headings. */
  level?: 2 | 3;
  /** Whether each has a line under the heading of its day instead of a card. */
  isDense?: boolean;
  /** Whether to omit the venue, on its page. */
  hidesPlace?: boolean;
  /** Whether to omit the label for past events, in a list of past events. */
  hidesPast?: boolean;
}

const titleLink = ({ url, title }: EventCard, level: 2 | 3): Html => {
  const link = html`<a href="${url}">${title}</a>`;
  return level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`;
};

const classOf = (name: string, { featured, isPast }: EventCard, { hidesPast = false }: Look): string =>
  [name, ...(featured ? ['featured'] : []), ...(isPast && !hidesPast ? ['past'] : [])].join(' ');

const fact = (drawing: keyof typeof DRAWINGS, value: Html | Html[]): Html =>
  html`<p class="facts">${icon(drawing)}<span>${value}</span></p> `;

/** An event in a list. */
function card(event: EventCard, reading: Reading, look: Look = {}): Html {
  const { level = 3, hidesPlace = false, hidesPast = false } = look;
  return html`<li class="${classOf('card', event, look)}">
    ${badge(event)}
    <div class="card-text">
      ${marks(event, event.isPast && !hidesPast, reading)} ${titleLink(event, level)} ${fact('clock', shortDate(event, reading))}
      ${event.place.length === 0 || hidesPlace ? null : fact('pin', joined(event.place))}
      ${event.cost === null ? null : fact('ticket', event.cost)}
      ${event.teaser === null ? null : html`<p class="teaser">${event.teaser}</p> `}
    </div>
    ${event.picture === null ? null : html`<div class="card-image">${picture(event.picture, '12rem', { decorative: true })}</div> `}
  </li> `;
}

/** When an event takes place, under the heading of its day: its times, or its days if it lasts for more than one. */
function timeInDay({ span, startsAt, zone }: EventCard, { dates, texts }: Reading): Html {
  const [first, last] = shownDays({ span });
  const text = first < last ? dates.shortSpan({ ...span, allDay: true }) : span.allDay ? texts.allDay : dates.times(span);
  return html`<p class="when">
    ${moment(startsAt, text)}${zone === '' || span.allDay ? null : html` <abbr title="${texts.timeZone}">${zone}</abbr>`}
  </p>`;
}

/** A short form of an event in a list. */
function row(event: EventCard, reading: Reading, look: Look): Html {
  const { level = 3, hidesPlace = false, hidesPast = false } = look;
  const facts = [...(hidesPlace ? [] : event.place), ...(event.cost === null ? [] : [event.cost])];
  return html`<li class="${classOf('row', event, look)}">
    ${timeInDay(event, reading)}
    <div>${titleLink(event, level)} ${marks(event, event.isPast && !hidesPast, reading)}</div>
    ${facts.length === 0 ? null : html`<p class="quiet">${joined(facts)}</p>`}
  </li> `;
}

/** The events of a list. */
export const cards = (events: EventCard[], reading: Reading, look: Look = {}): Html =>
  look.isDense
    ? html`<ol class="rows">
        ${events.map((event) => row(event, reading, look))}
      </ol>`
    : html`<ol class="cards">
        ${events.map((event) => card(event, reading, look))}
      </ol>`;
