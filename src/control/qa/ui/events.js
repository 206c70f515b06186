import { Choice, CHOICES, chosenIn, idsOf } from './choices.js';
import { plainText } from './format.js';
import { submitting } from './forms.js';
import { html, useEffect, useRef, useState } from './htm.js';
import { Tickets } from './tickets.js';

const EVENTS = '/tribe/events/v1/events';
const STORED_EVENTS = '/wp/v2/tribe_events';

/** Far enough in the past and future to include all events. */
const ALL = 'start_date=1901-01-01&end_date=2199-12-31&status=publish,future,draft,pending,private';

/** How many events a search lists. */
const FOUND = 8;

const STATUSES = { publish: 'Published', draft: 'Draft', pending: 'Pending', private: 'Private', future: 'Scheduled' };

/**
 * The fields of `wp/v2` that an event is changed by. TEC: an update through the calendar's own API resets what is not sent, and does not show
 * what is stored.
 */
const STORED = {
  title: ({ title }) => title.raw,
  description: ({ content }) => content.raw,
  status: ({ status }) => status,
  start_date: ({ meta }) => toInput(meta._EventStartDate),
  end_date: ({ meta }) => toInput(meta._EventEndDate),
  all_day: ({ meta }) => meta._EventAllDay,
  venue: ({ meta }) => meta._EventVenueID.slice(0, 1),
  organizer: ({ meta }) => meta._EventOrganizerID,
  categories: (event) => event.tribe_events_cat,
  tags: ({ tags }) => tags,
  image: ({ featured_media: image }) => String(image || ''),
  cost: ({ meta }) => meta._EventCost,
  website: ({ meta }) => meta._EventURL,
};

const META = {
  start_date: (value) => ({ _EventStartDate: fromInput(value) }),
  end_date: (value) => ({ _EventEndDate: fromInput(value) }),
  all_day: (value) => ({ _EventAllDay: value }),
  venue: (ids) => ({ _EventVenueID: ids }),
  organizer: (ids) => ({ _EventOrganizerID: ids }),
  cost: (value) => ({ _EventCost: value }),
  website: (value) => ({ _EventURL: value }),
};

const toInput = (date) => date.slice(0, 16).replace(' ', 'T');
const fromInput = (text) => `${text.replace('T', ' ')}:00`;

/** Local time as `datetime-local` has it, moved by some ms. */
const movedBy = (text, ms) => new Date(Date.parse(`${text}Z`) + ms).toISOString().slice(0, 16);

/** The inputs of start and end: the end keeps its distance from the start, and is invalid before it. */
function Period({ before }) {
  const last = useRef(before.start_date);
  const check = ({ elements: { start_date: start, end_date: end } }) =>
    end.setCustomValidity(start.value !== '' && end.value !== '' && end.value < start.value ? 'The event ends before it starts.' : '');
  const moveEnd = ({ target: { form, value } }) => {
    const { end_date: end } = form.elements;
    if (value !== '' && end.value !== '') end.value = movedBy(end.value, Date.parse(`${value}Z`) - Date.parse(`${last.current}Z`));
    if (value !== '') last.current = value;
    check(form);
  };
  return html`<label
      >Starts <input type="datetime-local" name="start_date" required defaultValue=${before.start_date} onchange=${moveEnd}
    /></label>
    <label
      >Ends
      <input type="datetime-local" name="end_date" required defaultValue=${before.end_date} oninput=${({ target }) => check(target.form)}
    /></label>`;
}

/** The next full hour of the site, and the hour after it. */
function nextHours({ state: { clock } }) {
  const hour = 3_600_000;
  const start = Math.ceil((Date.parse(clock.now) + clock.offset * 1000) / hour) * hour;
  return [start, start + hour].map((each) => new Date(each).toISOString().slice(0, 16));
}

/** The values of the form: a stored event from `wp/v2`, or a new one. */
function shownFields(event, model) {
  if (event) return Object.fromEntries(Object.entries(STORED).map(([name, read]) => [name, read(event)]));
  const [start, end] = nextHours(model);
  return {
    title: '',
    start_date: start,
    end_date: end,
    all_day: false,
    status: 'publish',
    venue: [],
    organizer: [],
    categories: [],
    tags: [],
    image: '',
    cost: '',
    website: '',
    description: '',
  };
}

/** The body to create an event through the calendar API. TEC: without the flags it would show no map. */
const newEvent = ({ venue, ...fields }) => ({
  show_map: true,
  show_map_link: true,
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0))),
  start_date: fromInput(fields.start_date),
  end_date: fromInput(fields.end_date),
  ...(venue.length === 0 ? {} : { venue: venue[0] }),
  ...(fields.image === '' ? {} : { image: Number(fields.image) }),
});

/** The body to change a stored event through `wp/v2`: only changed fields. */
function changedEvent(before, after) {
  const changed = Object.keys(before).filter((name) => String(before[name]) !== String(after[name]));
  const own = { title: 'title', description: 'content', status: 'status' };
  const meta = Object.assign({}, ...changed.map((name) => META[name]?.(after[name])));
  return {
    ...Object.fromEntries(changed.filter((name) => name in own).map((name) => [own[name], after[name]])),
    ...(changed.includes('categories') ? { tribe_events_cat: after.categories } : {}),
    ...(changed.includes('tags') ? { tags: after.tags } : {}),
    ...(changed.includes('image') ? { featured_media: Number(after.image) } : {}),
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
  };
}

/** The image of an event, out of the latest ones of the site. */
function ImageField({ model, value }) {
  const [offered, setOffered] = useState([]);
  useEffect(() => {
    model.api.rest('GET', '/wp/v2/media?per_page=50&media_type=image').then(setOffered, () => undefined);
  }, []);
  const all = offered.map(({ id, title }) => ({ id: String(id), text: plainText(model.window, title.rendered) }));
  const shown = value === '' || all.some(({ id }) => id === value) ? all : [{ id: value, text: `Image ${value}` }, ...all];
  return html`<label
    >Image
    <select name="image">
      <option value="">none</option>
      ${shown.map(({ id, text }) => html`<option key=${id} value=${id} selected=${id === value}>${text}</option>`)}
    </select>
  </label>`;
}

function EventForm({ model, event, close }) {
  const { api, window } = model;
  const [before] = useState(() => shownFields(event, model));
  const [problem, setProblem] = useState('');
  const [chosen, setChosen] = useState(() => Object.fromEntries(Object.keys(CHOICES).map((name) => [name, before[name]])));
  const choose = (name, value) => setChosen((all) => ({ ...all, [name]: value }));
  const save = async (fields, form) => {
    const after = Object.fromEntries(Object.keys(before).map((name) => [name, fields[name] ?? '']));
    after.all_day = form.elements.namedItem('all_day').checked;
    try {
      for (const name of Object.keys(CHOICES)) after[name] = await idsOf(model, name, chosenIn(after[name]), (ids) => choose(name, ids));
      const saved = event
        ? await api.rest('POST', `${STORED_EVENTS}/${event.id}`, changedEvent(before, after))
        : await api.rest('POST', EVENTS, newEvent(after));
      close();
      await model.act(() => ({
        text: `${event ? 'Changed' : 'Added'} event ${saved.id}: ${plainText(window, saved.title.rendered ?? saved.title)}.`,
        link: { href: saved.url ?? saved.link, text: 'Open it' },
      }));
    } catch (error) {
      // The message of the page is behind the dialog.
      setProblem(error.message);
    }
  };
  const statuses = Object.entries(STATUSES).filter(([status]) => status !== 'future' || status === before.status);
  return html`<form id="event-form" class="fields" onsubmit=${submitting(save)}>
    <label class="wide">Title <input name="title" required defaultValue=${before.title} /></label>
    <${Period} before=${before} />
    <label class="check wide"><input type="checkbox" name="all_day" defaultChecked=${before.all_day} /> All day</label>
    ${Object.keys(CHOICES).map(
      (name) => html`<${Choice} key=${name} model=${model} name=${name} value=${chosen[name]} choose=${(value) => choose(name, value)} />`,
    )}
    <${ImageField} model=${model} value=${before.image} />
    <label
      >Status
      <select name="status">
        ${statuses.map(([value, text]) => html`<option value=${value} selected=${value === before.status}>${text}</option>`)}
      </select>
    </label>
    <label>Cost <input name="cost" defaultValue=${before.cost} /></label>
    <label>Website <input name="website" type="url" defaultValue=${before.website} /></label>
    <label class="wide">Description <textarea name="description" rows="4" defaultValue=${before.description}></textarea></label>
    <p class="alert wide" role="alert">${problem}</p>
    <div class="row wide">
      <button class="strong">${event ? 'Save' : 'Add'}</button>
      <button type="button" onclick=${close}>Cancel</button>
    </div>
  </form>`;
}

function EventSearch({ model, choose }) {
  const { api, window } = model;
  const open = ({ id }) =>
    api
      .rest('GET', `${STORED_EVENTS}/${id}?context=edit`)
      .then(choose, (error) => model.set({ message: { text: error.message, failed: true } }));
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
            <button type="button" class="link" onclick=${() => open(event)}>${plainText(window, event.title)}</button>
            <span class="quiet">${event.start_date.slice(0, 16)}${event.ticketed ? ' · tickets' : ''}</span>
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
    ${
      // Event Tickets adds the field to events.
      event?.ticketed !== undefined && html`<${Tickets} model=${model} event=${event} />`
    }
  </dialog>`;
}
