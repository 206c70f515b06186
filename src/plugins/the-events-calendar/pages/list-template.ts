import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { documentTitle } from '../../../wordpress/pages/layout.js';
import { addressOf, emailLink, phoneLink } from './event-template.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { html, trusted, type Html } from '../../../wordpress/views/html.js';
import type { Listing, EventCard } from '../views/listing.js';
import { firstShown, type EventListPage, type FrontPage, type LinkedPage, type ListFrame, type Step } from './list-data.js';
import { unnamed } from './names.js';
import { inlineData, jsonLd, pageData } from '../../../wordpress/views/json-ld.js';
import { viewsUrl } from '../views/links.js';
import { calendarMenu } from './event-data.js';
import { content, external, icon, linkRow, picture, shortUrl } from '../../../wordpress/pages/parts.js';
import { cards, eventArticle, listRow, type Look } from './cards.js';
import type { Reading } from '../../../wordpress/views/reading.js';

/** `1 event`, `12 events`. */
export const eventCount = ({ texts, dates }: Reading, count: number): string =>
  (dates.isSingular(count) ? texts.eventsFoundOne : texts.eventsFoundMany).replace('{count}', dates.number(count));

const option = (value: string, name: string | Html, depth: number, isSelected: boolean): Html =>
  html`<option value="${value}" ${isSelected ? trusted('selected') : null}>${'\u00a0'.repeat(2 * depth)}${name}</option> `;

/** The view after submitting the form, unless it is a list of upcoming events. */
const displayOf = ({ view, past }: Listing): string => (view === 'list' ? (past ? 'past' : '') : view);

const filterForm = ({ filter, listing }: ListFrame, { texts }: Reading): Html => {
  const { action, categories, category, clearUrl } = filter;
  const display = displayOf(listing);
  return html`<form class="filter" role="search" action="${action}" method="get">
    <input
      class="tribe-events-c-search__input"
      type="search"
      name="tribe-bar-search"
      value="${listing.search}"
      placeholder="${texts.searchEvents}"
      aria-label="${texts.searchEvents}"
    />
    ${
      categories.length === 0
        ? null
        : html`<select name="${EVENT_CATEGORY}" aria-label="${texts.category}">
            ${option('', texts.allCategories, 0, category === '')}${categories.map(({ name, slug, depth }) => option(slug, name, depth, slug === category))}
          </select>`
    }
    <input type="date" name="tribe-bar-date" value="${listing.from}" aria-label="${texts.date}" />
    ${display === '' ? null : html`<input type="hidden" name="eventDisplay" value="${display}" /> `}
    <button type="submit">${icon('search')}<span class="hidden">${texts.search}</span></button>
    ${clearUrl === null ? null : html`<a class="quiet" href="${clearUrl}">${texts.clearFilters}</a>`}
  </form>`;
};

const views = ({ views: links }: ListFrame, { texts }: Reading): Html | null =>
  links.length === 0
    ? null
    : html`<nav class="views tribe-events-c-view-selector" aria-label="${texts.views}">
        <ul>
          ${links.map(
            ({ label, url, isCurrent }) =>
              html`<li>
                <a class="tribe-events-c-view-selector__list-item-link" href="${url}" ${isCurrent ? html`aria-current="page"` : null}
                  >${label}</a
                >
              </li> `,
          )}
        </ul>
      </nav>`;

export const bar = (frame: ListFrame, reading: Reading): Html =>
  html`<div class="bar tribe-events-header">${filterForm(frame, reading)} ${views(frame, reading)}</div>`;

const arrow = (rel: 'prev' | 'next', label: string): Html =>
  rel === 'prev' ? html`${icon('left')}<span>${label}</span>` : html`<span>${label}</span>${icon('right')}`;

/** Links to the neighboring months or days, beside the heading. */
function stepper({ previous, next, listing }: ListFrame, { texts }: Reading): Html | null {
  if (listing.view === 'list') return null;
  const link = (rel: 'prev' | 'next', { url, date }: Step): Html | null =>
    url === null
      ? null
      : html`<a class="tribe-events-c-top-bar__nav-link tribe-events-c-top-bar__nav-link--${rel}" href="${url}" rel="${rel}"
          >${arrow(rel, date)}</a
        > `;
  return html`<nav class="stepper" aria-label="${listing.view === 'month' ? texts.month : texts.day}">
    ${link('prev', previous)} ${link('next', next)}
  </nav>`;
}

/** `Page 2 of 3`. */
const pageOfPages = ({ page, pages }: ListFrame, { texts, dates }: Reading): Html | null =>
  pages < 2
    ? null
    : html`<span class="quiet">${texts.pageOf.replace('{page}', dates.number(page)).replace('{pages}', dates.number(pages))}</span>`;

/** The links that programs follow to what is before and after. */
export function pager(frame: ListFrame, reading: Reading): Html {
  const { previous, next, current, listing, pageLinks } = frame;
  const { texts } = reading;
  const step = (rel: 'prev' | 'next', { url, label, title }: Step): Html => {
    const name = `tribe-events-c-nav__${rel} tribe-common-b2 tribe-common-b1--min-medium`;
    const text = arrow(rel, label);
    return html`<li class="tribe-events-c-nav__list-item tribe-events-c-nav__list-item--${rel}">
      ${
        url === null
          ? html`<button type="button" class="${name}" aria-label="${title}" title="${title}" disabled>${text}</button>`
          : html`<a href="${url}" rel="${rel}" class="${name}" data-js="tribe-events-view-link" aria-label="${title}" title="${title}"
              >${text}</a
            >`
      }
    </li> `;
  };
  const page = (url: string | null, rel: 'prev' | 'next', label: string): Html | null =>
    url === null ? null : html`<a href="${url}" rel="${rel}">${label}</a>`;
  return html`<nav class="tribe-events-calendar-${listing.view}-nav tribe-events-c-nav" aria-label="${texts.pages}">
    <ul class="tribe-events-c-nav__list">
      ${step('prev', previous)}
      <li class="tribe-events-c-nav__list-item tribe-events-c-nav__list-item--today">
        ${page(pageLinks.previous, 'prev', texts.previousPage)} ${pageOfPages(frame, reading)}
        ${page(pageLinks.next, 'next', texts.nextPage)}
        ${current && html`<a href="${current.url}" class="tribe-events-c-nav__today tribe-common-b2">${current.label}</a>`}
      </li>
      ${step('next', next)}
    </ul>
  </nav>`;
}

export const foot = ({ other, calendars, rss, total }: ListFrame, reading: Reading): Html =>
  html`<div class="foot-links">
    ${other && html`<a href="${other.url}">${other.label}</a> `}
    ${total === 0 ? null : calendarMenu(calendars, reading.texts.subscribe, reading)}
    ${rss && html`<a href="${rss}" type="application/rss+xml">${reading.texts.rssFeed}</a> `}
  </div>`;

export const head = (frame: ListFrame, reading: Reading): Html =>
  html`<header class="page-head">
    <div class="title-row">
      <h1>${frame.heading}</h1>
      ${stepper(frame, reading)}
    </div>
    ${frame.description && html`<p class="lead">${frame.description}</p> `}
    ${frame.filter.clearUrl === null ? null : html`<p class="quiet" role="status">${eventCount(reading, frame.total)}</p> `}
  </header>`;

export const nothing = ({ listing: { view, search, past, from } }: ListFrame, { texts }: Reading): Html =>
  html`<p class="empty tribe-events-c-messages__message">
    ${view === 'list' && search === '' && !past && from === null ? texts.noUpcomingEvents : texts.noEvents}
  </p>`;

/** On the page of a venue, its name is the heading. */
const lookOf = ({ listing }: EventListPage, { site }: Reading): Look => ({
  first: firstShown(listing, site),
  hidesPast: listing.past,
  hidesPlace: listing.scope.kind === 'linked' && listing.scope.linked === 'venue',
});

function listOf(page: EventListPage, reading: Reading): Html {
  const look = lookOf(page, reading);
  return html`<ul class="tribe-events-calendar-list">
    ${page.groups.map(
      ({ heading, events }) =>
        html`<li class="tribe-events-calendar-list__month-separator"><h3 class="group">${heading}</h3></li>
          ${events.map((event) => listRow(event, reading, look))}`,
    )}
  </ul>`;
}

const dayOf = (page: EventListPage, reading: Reading): Html =>
  html`<div class="tribe-events-calendar-day">
    ${page.groups.map(
      ({ heading, isTime, events }) =>
        html`<div class="tribe-events-calendar-day__${isTime ? 'time' : 'type'}-separator"><h2 class="group">${heading}</h2></div>
          ${events.map((event) => eventArticle(event, reading, 'day', { level: 3 }))}`,
    )}
  </div>`;

/** Data about a list. TEC: what the scripts of its pages know. */
const dataOf = ({ listing, previous, next, title, ids, url }: ListFrame, reading: Reading): object => {
  const { site } = reading;
  const page = listing.titledAs === undefined ? listing.page : 1;
  return {
    slug: listing.view,
    title: decodeEntities(documentTitle({ title, page }, reading).text),
    events: ids,
    url,
    prev_url: previous.url ?? '',
    next_url: next.url ?? '',
    view_slug: listing.view,
    bar: { keyword: listing.search, date: listing.from ?? '' },
    today: `${site.today} 00:00:00`,
    now: site.nowLocal,
    rest_url: viewsUrl(site),
    rest_method: 'GET',
    is_past: listing.past,
  };
};

/**
 * A list as the plugin's programs exchange it: with its JSON-LD, and within the element that they look for.
 * @param main what people see
 */
export const eventView = (frame: ListFrame, main: Html, reading: Reading): Html => {
  const { view } = frame.listing;
  return html`<div
      class="whole tribe-common tribe-events tribe-events-view tribe-events-view--${view}"
      data-js="tribe-events-view"
      data-view-rest-url="${viewsUrl(reading.site)}"
      data-view-rest-method="GET"
      data-view-manage-url="1"
    >
      ${frame.jsonLd.length === 0 ? null : jsonLd(frame.jsonLd)} ${pageData('tribe-events-view-data', dataOf(frame, reading))} ${main}
    </div>
    ${inlineData('tribe-events-view-nonce-data', frame.nonces)} `;
};

export const listPage = (page: EventListPage, reading: Reading): Html =>
  eventView(
    page,
    html`${head(page, reading)} ${bar(page, reading)}
      <div class="${page.isDense ? 'cards dense' : 'cards'}">
        ${page.groups.length === 0 ? nothing(page, reading) : null}
        ${
          page.listing.view === 'day'
            ? dayOf(page, reading)
            : html`<h2 class="hidden">${reading.texts.events}</h2>
                ${listOf(page, reading)}`
        }
      </div>
      ${pager(page, reading)} ${foot(page, reading)}`,
    reading,
  );

export const frontPage = (name: Html, page: FrontPage, reading: Reading): Html => {
  const { texts } = reading;
  return html`<header class="page-head front">
      <h1>${name}</h1>
      ${page.description.text === '' ? null : html`<p class="lead">${page.description}</p> `}
    </header>
    ${
      page.featured.length === 0
        ? null
        : html`<section class="featured-events">
            <h2 class="group">${texts.featured}</h2>
            <ul class="tiles">
              ${page.featured.map((event) => tile(event, reading))}
            </ul>
          </section> `
    }
    <section>
      <h2 class="group">${texts.upcomingEvents}</h2>
      ${page.events.length === 0 ? html`<p class="empty">${texts.noUpcomingEvents}</p>` : unnamed(cards(page.events, reading, { first: reading.site.today }))}
    </section>
    <div class="foot-links">
      <a class="button" href="${page.eventsUrl}">${texts.allEvents}</a> ${calendarMenu(page.calendars, texts.subscribe, reading)}
    </div>
    ${
      page.categories.length === 0
        ? null
        : html`<section>
            <h2 class="group">${texts.categories}</h2>
            ${linkRow(page.categories)}
          </section>`
    }`;
};

const tile = (event: EventCard, { dates }: Reading): Html =>
  html`<li class="tile">
    ${event.picture === null ? html`<div class="tile-image plain">${icon('calendar')}</div> ` : html`<div class="tile-image">${picture(event.picture, '24rem', { decorative: true, names: 'wp-post-image' })}</div> `}
    <h3><a href="${event.url}">${event.title}</a></h3>
    <p class="quiet">${dates.shortSpan(event.span)}</p>
  </li> `;

/** The page of a venue or organizer, with its events. */
export const linkedPage = (page: LinkedPage, reading: Reading): Html => {
  const { texts } = reading;
  const { title, picture: image, email, website, list } = page;
  const lines = [
    addressOf(page, reading),
    page.phone === '' ? null : html`<span class="line">${phoneLink(page.phone)}</span> `,
    email === '' ? null : html`<span class="line">${emailLink(email)}</span> `,
    website === '' ? null : html`<span class="line">${external(website, shortUrl(website))}</span> `,
  ];
  // TEC: the calendar file of a venue contains all events.
  const hasFeed = !reading.site.quirks.has('ical-of-venues-is-general');
  const text = content(page.content, page.unlocking, reading);
  const hasContact = lines.some((line) => line !== null);
  return html`<header class="page-head">
      <p class="crumb">${texts[page.kind]}</p>
      <h1>${title}</h1>
    </header>
    <div class="columns linked">
      ${hasContact ? html`<aside class="panel" aria-label="${page.kind === 'venue' ? texts.address : texts.details}">${lines}</aside> ` : null}
      ${
        image === null && text === null
          ? null
          : html`<div>
              ${image === null ? null : html`<div class="hero">${picture(image, '(min-width: 72rem) 46rem, 100vw', { lazy: false, names: 'wp-post-image' })}</div> `}
              ${text}
            </div>`
      }
    </div>
    <section>
      ${list.jsonLd.length === 0 ? null : jsonLd(list.jsonLd)}
      <h2 class="group">${list.listing.past ? texts.pastEvents : texts.upcomingEvents}</h2>
      ${
        list.groups.length === 0
          ? nothing(list, reading)
          : cards(
              list.groups.flatMap(({ events }) => events),
              reading,
              lookOf(list, reading),
            )
      }
    </section>
    ${pager(list, reading)}
    ${hasFeed ? foot(list, reading) : html`<p class="foot-links">${list.other && html`<a href="${list.other.url}">${list.other.label}</a>`}</p>`}`;
};
