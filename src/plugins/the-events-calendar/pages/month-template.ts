import type { EventCard } from '../views/listing.js';
import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { schedule, titleLink } from './cards.js';
import { bar, eventCount, eventView, foot, head, nothing, pager } from './list-template.js';
import { eventDates, inAgenda, inMonth, timesOf } from './names.js';
import type { MonthPage } from './month-data.js';
import type { Bar, MonthDay } from './month.js';
import { inTurns } from '../../../base/system/turns.js';
import { hidden } from '../../../wordpress/pages/parts.js';

const stateOf = ({ status }: EventCard, { texts }: Reading): Html | null =>
  status === 'scheduled' ? null : html`<span class="state">${texts[status]}</span> `;

const starOf = ({ featured }: EventCard, { texts }: Reading): Html | null => (featured ? html`<em>${hidden(texts.featured)}</em> ` : null);

/** TEC: what is over has a name of its own. */
const namesOf = (name: string, { isPast }: EventCard, classNames: string): string =>
  `${inMonth(name)}${isPast ? ` ${inMonth(`${name}--past`)}` : ''} ${classNames}`;

/** The classes of an event where it is repeated: without those of its terms. */
const firstNames = ({ classNames }: EventCard): string => classNames.split(' ', 3).join(' ');

const tooltipId = (id: number): string => `tribe-events-tooltip-content-${id}`;

/** TEC: programs find the rest of an event by the id of its tooltip. */
const described = ({ id }: EventCard): Html => html` data-js="tribe-events-tooltip" data-tooltip-content="#${tooltipId(id)}"`;

const priceOf = ({ cost }: EventCard): Html | null => cost && html`<span class="tribe-events-c-small-cta__price">${cost}</span> `;

/** The card that an event has while the pointer or the focus is on it. @param title which has no room elsewhere */
const tooltip = (event: EventCard, reading: Reading, title: Html | null = null): Html =>
  html`<div id="${tooltipId(event.id)}">
    ${title}
    <time datetime="${event.span.start.slice(0, 10)}">${schedule(event, reading)}</time>
    ${event.place && html`<span>${event.place.name}</span>`} ${priceOf(event)}
  </div> `;

/** TEC: a bar has its title where it begins in a week, and its card where it begins on the page. */
function barOf({ event: { id }, lane, days, begins, ends }: Bar, date: string, page: MonthPage, reading: Reading): Html | null {
  const event = page.cards.get(id);
  if (!event) return null;
  if (days === 0) return html`<article class="${namesOf('multiday-event', event, firstNames(event))}">${hidden(event.title)}</article> `;
  const edges = `${begins ? ' begins' : ''}${ends ? ' ends' : ''}`;
  const hasCard = begins || date === page.days[0].date;
  return html`<div class="${inMonth('multiday-event-wrapper')} lane-${lane + 1} days-${days}${edges}">
    <article class="${namesOf('multiday-event', event, event.classNames)}">
      <a
        href="${event.url}"
        rel="bookmark"
        class="${inMonth('multiday-event-hidden-link')}"
        ${hasCard ? described(event) : html` title="${event.fullTitle}"`}
        >${starOf(event, reading)}${stateOf(event, reading)}
        <div class="${inMonth('multiday-event-bar-title')}">${event.title}</div></a
      >
    </article>
    ${hasCard ? tooltip(event, reading, html`<strong>${event.title}</strong> `) : null}
  </div> `;
}

function singleOf(event: EventCard, reading: Reading): Html {
  const [start, ...end] = timesOf(event.span, reading);
  const [from, to] = [event.span.start, event.span.end].map((wall) => wall.slice(11, 16));
  const link = titleLink(event, `${inMonth('calendar-event-title-link')} tribe-common-anchor-thin`, described(event));
  return html`<article class="${namesOf('calendar-event', event, event.classNames)}">
    <div class="${inMonth('calendar-event-datetime')}">
      ${starOf(event, reading)}<time datetime="${from}">${start}</time>${
        end.length === 0 ? null : html`${end[0]}<time datetime="${to}">${end[1]}</time>`
      }
    </div>
    ${stateOf(event, reading)}
    <div class="${inMonth('calendar-event-title')} tribe-common-h8 tribe-common-h--alt">${link}</div>
    ${tooltip(event, reading)}
  </article> `;
}

const moreLink = ({ date, more }: MonthDay, page: MonthPage, name: string, { texts, dates }: Reading): Html | null =>
  more === 0
    ? null
    : html`<p class="more">
        <a class="${name}" href="${page.dayUrl(date)}"
          >${texts.moreEvents.replace('{count}', dates.number(more))}${hidden(`, ${dates.day(date)}`)}</a
        >
      </p>`;

const current = (date: string, { today }: MonthPage): Html | null => (date === today ? html` aria-current="date"` : null);

/** The number of a day. TEC: a heading if it has events. @param content what shows it */
function dayNumber({ date, events }: MonthDay, names: string, content: Html): Html {
  const time = html`<time class="${inMonth('day-date-daynum')}" datetime="${date}">${content}</time>`;
  const all = `${inMonth('day-date')} ${names}`;
  return events.length === 0 ? html`<div class="${all}">${time}</div>` : html`<h3 class="${all}">${time}</h3>`;
}

/** A day, twice, as in the plugin: for small screens a button that leads to its page, for others the day itself. */
function dayCell(day: MonthDay, page: MonthPage, reading: Reading): Html {
  const { date, events, bars, lanes, more, inMonth: isInside } = day;
  const url = page.dayUrl(date);
  const name = reading.dates.day(date);
  const number = html`${Number(date.slice(8))}`;
  const cards = events.flatMap(({ id, isLong }) => (isLong ? [] : (page.cards.get(id) ?? [])));
  const state = date < page.today ? 'past' : date === page.today ? 'current' : '';
  const names = [inMonth('day'), ...(state === '' ? [] : [inMonth(`day--${state}`)]), ...(isInside ? [] : [inMonth('day--other-month')])];
  const target = events.length === 0 ? html`disabled` : html`formaction="${url}"`;
  const link = html`<a href="${url}" class="${inMonth('day-date-link')}" aria-label="${name}">${number}</a>`;
  return html`<td id="tribe-events-calendar-day-${date}" role="cell" class="${names.join(' ')}" ${current(date, page)}>
    <button
      class="${inMonth('day-cell')} ${inMonth('day-cell--mobile')}"
      aria-label="${name}, ${eventCount(reading, events.length + more)}"
      ${target}
    >
      ${dayNumber(day, 'tribe-common-h6 tribe-common-h--alt', number)}${
        events.length === 0 ? null : html`<span class="dots" aria-hidden="true">${'•'.repeat(Math.min(events.length, 3))}</span>`
      }
    </button>
    <div class="${inMonth('day-cell')} ${inMonth('day-cell--desktop')} tribe-common-a11y-hidden">
      ${dayNumber(day, 'tribe-common-h4', events.length === 0 ? number : link)}
      <div class="${inMonth('events')}">
        ${bars.map((each) => barOf(each, date, page, reading))}
        ${
          cards.length === 0 && more === 0
            ? null
            : html`<div class="from-${lanes + 1}">
                ${cards.map((event) => singleOf(event, reading))} ${moreLink(day, page, inMonth('more-events-link'), reading)}
              </div>`
        }
      </div>
    </div>
  </td> `;
}

const weeksOf = (days: Html[]): Html[][] => Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));

/** The weeks of a month, with their events. Rows are laid out as grids, so the roles are explicit. */
const grid = (page: MonthPage, days: Html[], reading: Reading): Html =>
  html`<form class="month-grid" method="get">
    <table class="month tribe-events-calendar-month" role="table" aria-label="${reading.texts.events}: ${page.heading}">
      <thead role="rowgroup">
        <tr role="row">
          ${page.weekdays.map(
            ({ long, short }) =>
              html`<th scope="col" role="columnheader" class="${inMonth('header-column')}"><abbr title="${long}">${short}</abbr></th> `,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${weeksOf(days).map(
          (week) =>
            html`<tr role="row">
              ${week}
            </tr> `,
        )}
      </tbody>
    </table>
  </form>`;

/** The days of an event that lasts for whole ones. TEC: not within elements for programs. */
function daysOf({ span }: EventCard, reading: Reading): Html {
  const { text } = eventDates(reading).schedule(span);
  return text.includes('date-end') ? trusted(text.replaceAll(/<[^>]*>/g, '')) : html`${reading.texts.allDay}`;
}

/** @param isShown whether people see it: on the days after the first, programs only */
function agendaRow(event: EventCard, isShown: boolean, reading: Reading): Html {
  const { place, span, isHidden } = event;
  const link = titleLink(event, inAgenda('mobile-event-title-link'), null, false);
  const when = span.allDay && !isHidden ? daysOf(event, reading) : schedule(event, reading);
  return html`<article
    class="${inAgenda('mobile-event')} ${isShown ? event.classNames : firstNames(event)}"
    ${isShown ? null : html` hidden`}
  >
    <div class="${inAgenda('mobile-event-datetime')}">
      ${starOf(event, reading)}<time datetime="${span.start.slice(0, 10)}">${when}</time>
    </div>
    <h3 class="${inAgenda('mobile-event-title')}">${link}</h3>
    ${stateOf(event, reading)} ${isShown && place ? html`<span>${place.name}</span>` : null} ${event.featured ? priceOf(event) : null}
  </article> `;
}

/** TEC: bars in the order of their lanes, then the others. */
function agendaDay(day: MonthDay, page: MonthPage, reading: Reading): Html | null {
  const { date, bars, inMonth: isInside } = day;
  const events = [...bars.map(({ event }) => event), ...day.events.filter(({ isLong }) => !isLong)];
  if (events.length === 0) return null;
  const isShown = ({ first }: MonthDay['events'][number]): boolean => isInside && (first === date || date.endsWith('-01'));
  const rows = events.map((event) => {
    const card = page.cards.get(event.id);
    return card ? agendaRow(card, isShown(event), reading) : null;
  });
  return html`<section class="${inAgenda('mobile-day')}" ${current(date, page)}${events.some(isShown) ? null : html` hidden`}>
    <h2><a href="${page.dayUrl(date)}">${reading.dates.day(date)}</a></h2>
    <div>${rows}</div>
    ${moreLink(day, page, 'quiet', reading)}
  </section> `;
}

/** A page with the events of a month: a grid, or a small month above an agenda on narrow screens. */
export async function monthPage(page: MonthPage, reading: Reading): Promise<Html> {
  const days = await inTurns(page.days, (day) => dayCell(day, page, reading));
  const agenda = await inTurns(page.days, (day) => agendaDay(day, page, reading));
  return eventView(
    page,
    html`${head(page, reading)} ${bar(page, reading)} ${page.total === 0 ? nothing(page, reading) : null}
      <h2 class="hidden">${reading.texts.events}</h2>
      ${grid(page, days, reading)}
      <div class="agenda">${agenda}</div>
      ${pager(page, reading)} ${foot(page, reading)}`,
    reading,
  );
}
