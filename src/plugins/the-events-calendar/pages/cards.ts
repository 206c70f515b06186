import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import { icon, picture, type DRAWINGS } from '../../../wordpress/pages/parts.js';
import type { EventCard, EventStatus } from '../views/card.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { shownDays } from './month.js';
import { partOf, schedule } from './names.js';

const moment = (machine: string, text: string): Html => (machine === '' ? html`${text}` : html`<time datetime="${machine}">${text}</time>`);

/** When an event takes place, in full. */
export const longDate = ({ span, startsAt }: EventCard, { dates }: Reading): Html => moment(startsAt, dates.span(span));

/** When an event in a list takes place. TEC: its machine-readable form is the day alone. */
const shortDate = (event: EventCard, { view = 'list' }: Look, reading: Reading): Html =>
  html`<time class="${partOf(view, 'datetime')}" datetime="${event.span.start.slice(0, 10)}">${schedule(event.span, reading)}</time
    >${zoneOf(event, reading)}${event.span.allDay ? html` <span class="quiet">· ${reading.texts.allDay}</span>` : null}`;

const zoneOf = ({ span, zone }: EventCard, { texts }: Reading): Html | null =>
  zone === '' || span.allDay ? null : html` <abbr class="timezone" title="${texts.timeZone}">${zone}</abbr>`;

/** Labels of an event. @param isPast whether to label it as past */
export function marks({ featured, status }: { featured: boolean; status: EventStatus }, isPast: boolean, { texts }: Reading): Html | null {
  const all = [
    ...(isPast ? [html`<span class="mark over">${texts.past}</span> `] : []),
    ...(status === 'scheduled' ? [] : [html`<span class="mark warn">${texts[status]}</span> `]),
    ...(featured ? [html`<span class="mark">${icon('star')}${texts.featured}</span> `] : []),
  ];
  return all.length === 0 ? null : html`<p class="marks">${all}</p>`;
}

const badge = ({ badge: { weekday, day, month }, span }: EventCard, { view = 'list' }: Look): Html =>
  html`<p class="badge ${partOf(view, 'date-tag')}" aria-hidden="true">
    <time class="whole ${partOf(view, 'date-tag-datetime')}" datetime="${span.start.slice(0, 10)}"
      ><span class="${partOf(view, 'date-tag-weekday')}">${weekday}</span><b class="${partOf(view, 'date-tag-daynum')}">${day}</b
      ><span>${month}</span></time
    >
  </p>`;

const SEPARATOR = trusted(' <span class="quiet">·</span> ');

export const joined = (parts: Html[]): Html[] => parts.flatMap((part, index) => (index === 0 ? [part] : [SEPARATOR, part]));

/** Options for showing the events of a list. */
export interface Look {
  /** The view that they are in. */
  view?: 'list' | 'day';
  /** Level of their headings. */
  level?: 2 | 3;
  /** Whether each has a line under the heading of its day instead of a card. */
  isDense?: boolean;
  /** Whether to omit the venue, on its page. */
  hidesPlace?: boolean;
  /** Whether to omit the label for past events, in a list of past events. */
  hidesPast?: boolean;
}

function titleLink({ url, title }: EventCard, { level = 3, view = 'list' }: Look): Html {
  const link = html`<a class="${partOf(view, 'title-link')} tribe-common-anchor-thin" href="${url}" rel="bookmark">${title}</a>`;
  const name = partOf(view, 'title');
  return level === 2 ? html`<h2 class="${name}">${link}</h2>` : html`<h3 class="${name}">${link}</h3>`;
}

const classOf = (name: string, { featured, isPast }: EventCard, { hidesPast = false }: Look): string =>
  [name, ...(featured ? ['featured'] : []), ...(isPast && !hidesPast ? ['past'] : [])].join(' ');

const fact = (drawing: keyof typeof DRAWINGS, value: Html): Html => html`<p class="facts">${icon(drawing)}<span>${value}</span></p> `;

const venue = ({ place: [name, ...city] }: EventCard, { view = 'list' }: Look): Html =>
  html`<span class="${partOf(view, 'venue')}"
    >${joined([
      html`<span class="${partOf(view, 'venue-title')}">${name}</span>`,
      ...city.map((each) => html`<span class="${partOf(view, 'venue-address')}">${each}</span>`),
    ])}</span
  >`;

const costOf = (cost: Html, { view = 'list' }: Look): Html =>
  html`<span class="tribe-events-c-small-cta ${partOf(view, 'cost')}"><span class="tribe-events-c-small-cta__price">${cost}</span></span>`;

/** An event in a list: what it consists of, within the elements that programs look for. */
const whole = (event: EventCard, look: Look, content: Html): Html =>
  html`<div class="whole ${partOf(look.view ?? 'list', 'wrapper')} tribe-common-g-col">
    <article class="whole ${partOf(look.view ?? 'list', '')} ${event.classNames}">${content}</article>
  </div>`;

/** An event in a list. */
function card(event: EventCard, reading: Reading, look: Look = {}): Html {
  const { hidesPlace = false, hidesPast = false, view = 'list' } = look;
  const text = html`<div class="card-text ${partOf(view, 'details')}">
    ${marks(event, event.isPast && !hidesPast, reading)} ${titleLink(event, look)} ${fact('clock', shortDate(event, look, reading))}
    ${event.place.length === 0 || hidesPlace ? null : fact('pin', venue(event, look))}
    ${event.cost === null ? null : fact('ticket', costOf(event.cost, look))}
    ${
      event.teaser === null
        ? null
        : html`<div class="${partOf(view, 'description')} tribe-common-b2 tribe-common-a11y-hidden">
            <p class="teaser">${event.teaser}</p>
          </div> `
    }
  </div>`;
  const image =
    event.picture &&
    html`<div class="card-image ${partOf(view, 'featured-image-wrapper')}">
      <a class="${partOf(view, 'featured-image-link')}" href="${event.url}" tabindex="-1" aria-hidden="true"
        >${picture(event.picture, '12rem', { decorative: true, names: `${partOf(view, 'featured-image')} wp-post-image` })}</a
      >
    </div> `;
  return html`<li class="${classOf('card', event, look)} tribe-common-g-row ${partOf(view, 'row')}">
    ${badge(event, look)} ${whole(event, look, html`${text} ${image}`)}
  </li> `;
}

/** When an event takes place, under the heading of its day: its times, or its days if it lasts for more than one. */
function timeInDay(event: EventCard, { view = 'list' }: Look, reading: Reading): Html {
  const { span } = event;
  const { dates, texts } = reading;
  const [first, last] = shownDays({ span });
  const text = first < last ? dates.shortSpan({ ...span, allDay: true }) : span.allDay ? texts.allDay : dates.times(span);
  return html`<p class="when">
    <span aria-hidden="true">${text}</span>
    <time class="hidden ${partOf(view, 'datetime')}" datetime="${span.start.slice(0, 10)}">${schedule(span, reading)}</time
    >${zoneOf(event, reading)}
  </p>`;
}

/** A short form of an event in a list. */
function row(event: EventCard, reading: Reading, look: Look): Html {
  const { hidesPlace = false, hidesPast = false, view = 'list' } = look;
  const facts = [
    ...(hidesPlace || event.place.length === 0 ? [] : [venue(event, look)]),
    ...(event.cost === null ? [] : [costOf(event.cost, look)]),
  ];
  const content = html`${timeInDay(event, look, reading)}
    <div class="line-of-row">${titleLink(event, look)} ${marks(event, event.isPast && !hidesPast, reading)}</div>
    ${facts.length === 0 ? null : html`<p class="quiet">${joined(facts)}</p>`}`;
  return html`<li class="${classOf('row', event, look)} tribe-common-g-row ${partOf(view, 'row')}">${whole(event, look, content)}</li> `;
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
