import { html, type Html } from './html.js';

/** An event in a list. Texts are HTML that was made safe. */
export interface EventSummary {
  title: Html;
  url: string;
  start: string;
  end: string;
  zone: string;
}

const when = ({ start, end, zone }: Pick<EventSummary, 'start' | 'end' | 'zone'>): Html =>
  html`<time datetime="${start.replace(' ', 'T')}">${start.slice(0, 16)}</time> to
    <time datetime="${end.replace(' ', 'T')}">${end.slice(0, 16)}</time> (${zone})`;

const eventList = (events: EventSummary[]): Html =>
  events.length === 0
    ? html`<p>There are no events.</p>`
    : html`<ul>
        ${events.map((event) => html`<li><a href="${event.url}">${event.title}</a> ${when(event)}</li> `)}
      </ul>`;

export interface FrontData {
  name: string;
  description: string;
  eventsUrl: string;
  events: EventSummary[];
}

export const frontPage = ({ name, description, eventsUrl, events }: FrontData): Html =>
  html`<h1>${name}</h1>
    ${description === '' ? null : html`<p>${description}</p> `}
    <h2><a href="${eventsUrl}">Upcoming events</a></h2>
    ${eventList(events)}`;

export interface ListData {
  heading: Html;
  events: EventSummary[];
  previous: string | null;
  next: string | null;
}

export const listPage = ({ heading, events, previous, next }: ListData): Html =>
  html`<h1>${heading}</h1>
    ${eventList(events)}${
      previous === null && next === null
        ? null
        : html` <nav aria-label="Pages">
            ${previous === null ? null : html`<a href="${previous}" rel="prev">Previous</a> `}${next === null ? null : html`<a href="${next}" rel="next">Next</a>`}
          </nav>`
    }`;

export interface EventData extends EventSummary {
  content: Html | null;
  venues: Html[];
  organizers: Html[];
  website: string;
}

const named = (what: string, names: Html[]): Html | null =>
  names.length === 0
    ? null
    : html`<dt>${what}</dt>
        ${names.map((name) => html`<dd>${name}</dd> `)}`;

const text = (content: Html | null): Html => content ?? html`<p>This content is password protected.</p>`;

export const eventPage = (event: EventData): Html =>
  html`<article>
    <h1>${event.title}</h1>
    <dl>
      <dt>When</dt>
      <dd>${when(event)}</dd>
      ${named('Where', event.venues)}${named('Organizer', event.organizers)}${
        event.website === ''
          ? null
          : html`<dt>Website</dt>
              <dd><a href="${event.website}" rel="external">${event.website}</a></dd> `
      }
    </dl>
    <div>${text(event.content)}</div>
  </article>`;

export interface PostData {
  title: Html;
  content: Html | null;
}

export const postPage = ({ title, content }: PostData): Html =>
  html`<article>
    <h1>${title}</h1>
    <div>${text(content)}</div>
  </article>`;

export const missingPage = (url: string): Html =>
  html`<h1>Not found</h1>
    <p>There is no page at this address. Go to the <a href="${url}/">front page</a>.</p>`;
