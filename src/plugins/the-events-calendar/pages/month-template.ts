import type { EventCard } from '../views/card.js';
import { html, type Html } from '../../../wordpress/views/html.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { joined } from './cards.js';
import { bar, classes, eventCount, eventView, foot, head, nothing } from './list-template.js';
import { inAgenda, inMonth, schedule, tooltipId } from './names.js';
import type { MonthEvent, MonthPage } from './month-data.js';
import { agendaOf, type Bar, type MonthDay } from './month.js';
import { hidden } from '../../../wordpress/pages/parts.js';

type Day = MonthDay<MonthEvent>;

const stateOf = ({ status }: EventCard, { texts }: Reading): Html | null =>
  status === 'scheduled' ? null : html`<span class="state">${texts[status]}</span> `;

const pastOf = ({ isPast }: EventCard, { texts }: Reading): Html | null => (isPast ? html` ${hidden(texts.past)}` : null);

function barOf({ event: { id }, lane, days, begins, ends }: Bar<MonthEvent>, page: MonthPage, reading: Reading): Html | null {
  const card = page.cards.get(id);
  if (!card) return null;
  const { dates, texts } = reading;
  const isSolid = days > 1 || !begins || !ends || card.span.allDay;
  const look = { solid: isSolid, begins, ends, past: card.isPast, featured: card.featured };
  const time = card.span.allDay
    ? hidden(texts.allDay)
    : begins && ends && days === 1
      ? html`<span class="time">${dates.time(card.span.start)}</span>`
      : null;
  const isLong = days > 1 || !begins || !ends;
  const name = isLong ? 'multiday-event' : 'calendar-event';
  const link = isLong ? 'multiday-event-hidden-link' : 'calendar-event-title-link';
  // TEC: programs find the rest of an event where its tooltip is, here in the agenda.
  const tooltip = page.described.has(id) ? html`data-js="tribe-events-tooltip" data-tooltip-content="#${tooltipId(id)}"` : null;
  return html`<li class="lane-${lane + 1} days-${days} ${classes(look)}">
    <article class="whole ${inMonth(name)} ${card.classNames}">
      <a class="${inMonth(link)}" href="${card.url}" rel="bookmark" ${tooltip}
        ><span class="whole ${inMonth(`${name}-datetime`)}"
          ><time class="whole" datetime="${isLong ? card.span.start.slice(0, 10) : card.span.start.slice(11, 16)}">${time}</time></span
        >
        ${stateOf(card, reading)}<span class="name ${inMonth(isLong ? 'multiday-event-hidden-title' : 'calendar-event-title')}"
          >${card.title}</span
        >${isLong ? html` ${hidden(dates.shortSpan(card.span))}` : null}${pastOf(card, reading)}</a
      >
    </article>
  </li> `;
}

const moreLink = (date: string, more: number, page: MonthPage, { texts, dates }: Reading): Html | null =>
  more === 0
    ? null
    : html`<p class="more ${inMonth('more-events')}">
        <a class="${inMonth('more-events-link')}" href="${page.dayUrl(date)}"
          >${texts.moreEvents.replace('{count}', dates.number(more))}${hidden(`, ${dates.day(date)}`)}</a
        >
      </p>`;

const current = (date: string, { today }: MonthPage): Html | null => (date === today ? html`aria-current="date"` : null);

const dayNumber = (date: string): number => Number(date.slice(8));

function dayCell(day: Day, page: MonthPage, reading: Reading): Html {
  const { date, inMonth: isInside, bars, more, count } = day;
  if (!isInside) return html`<td class="outside" role="cell"></td> `;
  const label = html`<time class="${inMonth('day-date-daynum')}" datetime="${date}"
    >${hidden(reading.dates.day(date))}<span class="number" aria-hidden="true">${dayNumber(date)}</span></time
  >`;
  const names = [...(date < page.today ? ['over'] : []), inMonth('day'), ...(date === page.today ? [inMonth('day--current')] : [])];
  return html`<td id="tribe-events-calendar-day-${date}" role="cell" class="${names.join(' ')}" ${current(date, page)}>
    <p class="date ${inMonth('day-date')}">
      ${count === 0 ? label : html`<a class="${inMonth('day-date-link')}" href="${page.dayUrl(date)}">${label}</a>`}
    </p>
    ${
      bars.length === 0
        ? null
        : html`<ul class="${inMonth('events')}">
            ${bars.map((each) => barOf(each, page, reading))}
          </ul>`
    }
    ${moreLink(date, more, page, reading)}
  </td> `;
}

/** The weeks of a month, with their events. Rows are laid out as grids, so the roles are explicit. */
const grid = (page: MonthPage, { texts }: Reading, cells: (days: Day[]) => Html[]): Html =>
  html`<div class="month-grid">
    <table class="month tribe-events-calendar-month" role="table" aria-label="${texts.events}: ${page.heading}">
      <thead role="rowgroup">
        <tr role="row">
          ${page.weekdays.map(({ long, short }) => html`<th scope="col" role="columnheader"><abbr title="${long}">${short}</abbr></th> `)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${page.weeks.map(
          (days) =>
            html`<tr role="row">
              ${cells(days)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;

const anchor = (date: string): string => `day-${date}`;

/** A day of the small month: links to the day in the agenda below, or to its page if the agenda omits it. */
function smallDay({ date, inMonth: isInside, count, news }: Day, page: MonthPage, reading: Reading): Html {
  if (!isInside) return html`<td></td> `;
  const url = news.length > 0 ? `#${anchor(date)}` : page.dayUrl(date);
  const dots = '•'.repeat(Math.min(count, 3));
  const number = html`<span aria-hidden="true">${dayNumber(date)}</span>`;
  const name = hidden(`${reading.dates.day(date)}, ${eventCount(reading, count)}`);
  return html`<td ${date < page.today ? html`class="over"` : null} ${current(date, page)}>
    ${count === 0 ? number : html`<a href="${url}">${number}${name}<span class="dots" aria-hidden="true">${dots}</span></a>`}
  </td> `;
}

const small = (page: MonthPage, reading: Reading): Html =>
  html`<table class="month-small">
    <caption class="hidden">
      ${page.heading}
    </caption>
    <thead>
      <tr>
        ${page.weekdays.map(({ long, short }) => html`<th scope="col"><abbr title="${long}">${short}</abbr></th> `)}
      </tr>
    </thead>
    <tbody>
      ${page.weeks.map(
        (days) =>
          html`<tr>
            ${days.map((day) => smallDay(day, page, reading))}
          </tr> `,
      )}
    </tbody>
  </table>`;

function agendaRow(card: EventCard, day: Day, reading: Reading): Html {
  const { dates, texts } = reading;
  const { span } = card;
  const time = span.allDay ? texts.allDay : span.start.startsWith(day.date) ? dates.time(span.start) : '';
  const isLong = day.bars.some(({ event, days, begins, ends }) => event.id === card.id && (days > 1 || !begins || !ends));
  const { place, cost } = card;
  const venue = place.length === 0 ? null : html`<span class="${inAgenda('mobile-event-venue-title')}">${place[0]}</span>`;
  return html`<li class="${classes({ past: card.isPast, featured: card.featured })}">
    <article id="${tooltipId(card.id)}" class="whole ${inAgenda('mobile-event')}">
      <span class="time" aria-hidden="true">${time}</span>
      <p>
        <a class="${inAgenda('mobile-event-title-link')}" href="${card.url}">${stateOf(card, reading)}${card.title}</a
        >${pastOf(card, reading)}
        ${isLong ? html`<span class="line" aria-hidden="true">${dates.shortSpan({ ...span, allDay: true })}</span>` : null}
        <time class="hidden ${inAgenda('mobile-event-datetime')}" datetime="${span.start.slice(0, 10)}">${schedule(span, reading)}</time>
        ${venue || cost ? html`<span class="line">${joined([...(venue ? [venue] : []), ...(cost ? [html`<span class="${inAgenda('mobile-event-cost')}">${cost}</span>`] : [])])}</span>` : null}
      </p>
    </article>
  </li> `;
}

function agendaDay(day: Day, page: MonthPage, reading: Reading): Html | null {
  const { shown, more } = agendaOf(day);
  if (shown.length === 0) return null;
  const { date } = day;
  const rows = shown.flatMap(({ id }) => page.cards.get(id) ?? []);
  return html`<section id="${anchor(date)}" class="${inAgenda('mobile-day')}" ${current(date, page)}>
    <h2><a href="${page.dayUrl(date)}">${reading.dates.day(date)}</a></h2>
    <ul>
      ${rows.map((card) => agendaRow(card, day, reading))}
    </ul>
    ${moreLink(date, more, page, reading)}
  </section> `;
}

/** A page with the events of a month: a grid, or a small month above an agenda on narrow screens. */
export const monthPage = (page: MonthPage, reading: Reading): Html =>
  eventView(
    page,
    html`${head(page, reading)} ${bar(page, reading)} ${page.total === 0 ? nothing(page, reading) : null}
      ${grid(page, reading, (days) => days.map((day) => dayCell(day, page, reading)))}
      <div class="month-phone">
        ${small(page, reading)}
        <div class="agenda">${page.weeks.flat().map((day) => agendaDay(day, page, reading))}</div>
      </div>
      ${foot(page, reading)}`,
    reading,
  );
