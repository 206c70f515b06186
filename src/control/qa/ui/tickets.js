import { plainText } from './format.js';
import { html, useEffect, useState } from './htm.js';

const API = '/tribe/tickets/v1';

/** How many tickets of an event are listed: all that one has in practice. */
const SHOWN = 50;

const isRsvp = ({ provider }) => provider === 'rsvp';

/** `2 sold, 8 left` */
function placesOf(ticket) {
  const { sold, available } = ticket.capacity_details;
  const taken = `${sold} ${isRsvp(ticket) ? 'coming' : 'sold'}`;
  // -1: the ticket is unlimited.
  return available < 0 ? taken : `${taken}, ${available} left`;
}

const stateOf = ({ checked_in: isIn, rsvp_going: comes }) => (isIn ? 'checked in' : comes === false ? 'not coming' : '');

function Attendee({ attendee, window, send }) {
  const { id, title, checked_in: isIn, rsvp_going: comes } = attendee;
  const check = () => send('PUT', `/attendees/${id}`, { check_in: !isIn });
  return html`<li data-attendee=${id}>
    <span class="grow">${plainText(window, title)}</span>
    <span class="quiet">${stateOf(attendee)}</span>
    ${(isIn || comes !== false) && html`<button type="button" onclick=${check}>${isIn ? 'Undo check-in' : 'Check in'}</button>`}
  </li>`;
}

function Ticket({ ticket, window, send }) {
  const { id, title, cost, attendees, capacity_details: places } = ticket;
  const sell = () => send('POST', '/attendees', { ticket_id: id, full_name: `Guest ${attendees.length + 1}`, email: 'guest@example.org' });
  return html`<section data-ticket=${id}>
    <div class="head">
      <h3>${plainText(window, title)} <span class="quiet">${isRsvp(ticket) ? 'RSVP' : cost} · ${placesOf(ticket)}</span></h3>
      <button type="button" onclick=${sell} disabled=${places.available === 0}>${isRsvp(ticket) ? 'Add a guest' : 'Sell one'}</button>
    </div>
    <ul class="items">
      ${attendees.map((attendee) => html`<${Attendee} key=${attendee.id} attendee=${attendee} window=${window} send=${send} />`)}
    </ul>
  </section>`;
}

/** The tickets of an event with their attendees, where the site has Event Tickets: sells them, and checks attendees in. */
export function Tickets({ model, event }) {
  const { api, window } = model;
  const [tickets, setTickets] = useState([]);
  const [problem, setProblem] = useState('');
  const read = async () => setTickets((await api.rest('GET', `${API}/tickets?include_post=${event.id}&per_page=${SHOWN}`)).tickets);
  const attempt = (work) =>
    work().then(
      () => setProblem(''),
      ({ message }) => setProblem(message),
    );
  const send = (method, path, body) =>
    attempt(async () => {
      await api.rest(method, `${API}${path}`, body);
      await read();
    });
  useEffect(() => {
    attempt(read);
  }, []);
  return html`<div id="event-tickets">
    ${tickets.map((ticket) => html`<${Ticket} key=${ticket.id} ticket=${ticket} window=${window} send=${send} />`)}
    <p class="alert" role="alert">${problem}</p>
  </div>`;
}
