import { plainText } from './format.js';
import { submitting } from './forms.js';
import { html, useEffect, useRef, useState } from './htm.js';

const EVENTS = '/tribe/events/v1/events';

/** Far enough in the past and in the future that no event is left out. */
const ALL = 'start_date=1901-01-01&end_date=2199-12-31&status=publish,future,draft,pending,private';

/** How many events a search lists. */
const FOUND = 8;

const STATUSES = { publish: 'Published', draft: 'Draft', pending: 'Pending', private: 'Private' };

/** TEC: an update resets these when they are not sent. */
const RESENT = ['show_map', 'show_map_link', 'hide_from_listings', 'featured'];

const toInput = (date) => date.slice(0, 16).replace(' ', 'T');
const fromInput = (text) => `${text.replace('T', ' ')}:00`;

/** The next full hour of the site, and the hour after it. */
function nextHours({ state: { clock } }) {
  const hour = 3_600_000;
  const start = Math.ceil((Date.parse(clock.now) + clock.offset * 1000) / hour) * hour;
  return [start, start + hour].map((each) => new Date(each).toISOString().slice(0, 16));
}

/** What the form shows of an event, as its fields have it. */
function shownFields(event, window, model) {
  if (!event) {
    const [start, end] = nextHours(model);
    return {
      title: '',
      start_date: start,
      end_date: end,
      all_day: false,
      status: 'publish',
      venue: '',
      cost: '',
      website: '',
      description: '',
    };
  }
  return {
    title: plainText(window, event.title),
    start_date: toInput(event.start_date),
    end_date: toInput(event.end_date),
    all_day: event.all_day,
    status: event.status,
    venue: Array.isArray(event.venue) ? '' : String(event.venue.id),
    cost: plainText(window, event.cost),
    website: event.website,
    description: event.description,
  };
}

/** What to send: of an event that exists only what was changed, and what would be reset otherwise. */
function sentFields(event, before, after) {
  const isChanged = (name) => (event ? after[name] !== before[name] : after[name] !== '');
  const own = Object.fromEntries(['title', 'description', 'website', 'cost'].filter(isChanged).map((name) => [name, after[name]]));
  const kept = event
    ? {
        ...Object.fromEntries(RESENT.map((name) => [name, event[name] ?? false])),
        timezone: event.timezone,
        ...(event.image ? { image: event.image.id } : {}),
        ...(isChanged('cost') ? {} : { cost: event.cost_details?.values?.join(' - ') ?? '' }),
      }
    : {};
  return {
    ...kept,
    ...own,
    status: after.status,
    all_day: after.all_day,
    start_date: fromInput(after.start_date),
    end_date: fromInput(after.end_date),
    ...(isChanged('venue') ? { venue: after.venue === '' ? [] : Number(after.venue) } : {}),
  };
}

function EventForm({ model, event, close }) {
  const { api, window } = model;
  const before = shownFields(event, window, model);
  const [venues, setVenues] = useState([]);
  useEffect(() => {
    api.rest('GET', '/tribe/events/v1/venues?per_page=50&status=publish').then(
      (found) => setVenues(found.venues),
      () => undefined,
    );
  }, []);
  const save = (fields, form) =>
    model.act(async () => {
      const value = (name) => fields[name] ?? '';
      const after = Object.fromEntries(Object.keys(before).map((name) => [name, value(name)]));
      after.all_day = form.elements.namedItem('all_day').checked;
      const sent = sentFields(event, before, after);
      const saved = await api.rest('POST', event ? `${EVENTS}/${event.id}` : EVENTS, sent);
      close();
      return `${event ? 'Changed' : 'Added'} event ${saved.id}: ${plainText(window, saved.title)}.`;
    });
  const offered = venues.some(({ id }) => String(id) === before.venue) || before.venue === '' ? venues : [event.venue, ...venues];
  return html`<form id="event-form" class="fields" onsubmit=${submitting(save)}>
    <label class="wide">Title <input name="title" required defaultValue=${before.title} /></label>
    <label>Starts <input type="datetime-local" name="start_date" required defaultValue=${before.start_date} /></label>
    <label>Ends <input type="datetime-local" name="end_date" required defaultValue=${before.end_date} /></label>
    <label class="check wide"><input type="checkbox" name="all_day" defaultChecked=${before.all_day} /> All day</label>
    <label
      >Venue
      <select name="venue">
        <option value="">none</option>
        ${offered.map(({ id, venue }) => html`<option key=${id} value=${id} selected=${String(id) === before.venue}>${plainText(window, venue)}</option>`)}
      </select>
    </label>
    <label
      >Status
      <select name="status">
        ${Object.entries(STATUSES).map(([value, text]) => html`<option value=${value} selected=${value === before.status}>${text}</option>`)}
      </select>
    </label>
    <label>Cost <input name="cost" defaultValue=${before.cost} /></label>
    <label>Website <input name="website" type="url" defaultValue=${before.website} /></label>
    <label class="wide">Description <textarea name="description" rows="4" defaultValue=${before.description}></textarea></label>
    <div class="row wide">
      <button class="strong">${event ? 'Save' : 'Add'}</button>
      <button type="button" onclick=${close}>Cancel</button>
    </div>
  </form>`;
}

function EventSearch({ model, choose }) {
  const { api, window } = model;
  const [query, setQuery] = useState('');
  const [found, setFound] = useState([]);
  useEffect(() => {
    let isGone = false;
    const search = query === '' ? '' : `&search=${encodeURIComponent(query)}`;
    api.rest('GET', `${EVENTS}?per_page=${FOUND}&${ALL}${search}`).then(
      ({ events }) => isGone || setFound(events),
      // TEC: a page of a list without results is an error.
      () => isGone || setFound([]),
    );
    return () => {
      isGone = true;
    };
  }, [query]);
  return html`<label class="wide"
      >Search <input type="search" id="event-search" value=${query} oninput=${({ target }) => setQuery(target.value)}
    /></label>
    <ul class="items" id="event-list">
      ${found.map(
        (event) =>
          html`<li key=${event.id}>
            <button type="button" class="link" onclick=${() => choose(event)}>${plainText(window, event.title)}</button>
            <span class="quiet">${event.start_date.slice(0, 16)}</span>
          </li>`,
      )}
    </ul>
    ${found.length === 0 && html`<p class="quiet">No event was found.</p>`}`;
}

/** Adds an event, or finds one and changes it. @param mode `add` or `find` */
export function EventDialog({ model, mode, close }) {
  const [event, choose] = useState(null);
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  const isForm = mode === 'add' || event !== null;
  return html`<dialog class="event-dialog" aria-labelledby="event-title" ref=${dialog} onclose=${close}>
    <div class="head">
      <h2 id="event-title">${event ? `Edit event ${event.id}` : mode === 'add' ? 'Add an event' : 'Edit an event'}</h2>
      <button type="button" class="plain" aria-label="Close" onclick=${close}>✕</button>
    </div>
    ${
      isForm
        ? html`<${EventForm} key=${event?.id} model=${model} event=${event} close=${close} />`
        : html`<${EventSearch} model=${model} choose=${choose} />`
    }
  </dialog>`;
}
