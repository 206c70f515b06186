import { ReadableCollection, type NoParams } from './resource.js';
import type { CallOptions, Transport } from './transport.js';
import type * as Params from '../types/params.js';
import type * as Wire from '../types/responses.js';

const TICKETS_NAMESPACE = 'tribe/tickets/v1';
const TEC_NAMESPACE = 'tec/v1';

/** TEC: the sentence that `tec/v1` requires. */
const ACKNOWLEDGED = {
  'X-TEC-EEA':
    'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. ' +
    'I also understand that I am using this endpoint at my own risk, while support is not provided for it.',
};

const acknowledged = (options: CallOptions = {}): CallOptions => ({ ...options, headers: { ...ACKNOWLEDGED, ...options.headers } });

/**
 * Tickets (Event Tickets). TEC: `tribe/tickets/v1` has tickets and RSVPs, but writes them only in a browser session. Writes go through `tec/v1`,
 * which has no RSVPs and needs TEC 6.15 or later.
 */
export class Tickets extends ReadableCollection<Wire.Ticket, Wire.TicketList, Params.TicketFilters, NoParams> {
  constructor(transport: Transport) {
    super(transport, TICKETS_NAMESPACE, 'tickets');
  }

  create(fields: Params.TicketFields, options?: CallOptions): Promise<Wire.StoredTicket> {
    return this.call('POST', '', { namespace: TEC_NAMESPACE, body: fields }, acknowledged(options));
  }

  /**
   * Updates a ticket. It stays with its event: `event` has no effect. TEC: each update subtracts what is sold from the stock, and resets the time of
   * day of a start or end that is not sent.
   * @throws ForbiddenError if the ticket does not exist
   */
  update(id: number, fields: Partial<Params.TicketFields>, options?: CallOptions): Promise<Wire.StoredTicket> {
    return this.call('PUT', `/${id}`, { namespace: TEC_NAMESPACE, body: fields }, acknowledged(options));
  }

  /**
   * Moves a ticket to the trash; `force` deletes it permanently.
   * @throws ForbiddenError if the ticket does not exist
   */
  async delete(id: number, params: { force?: boolean } = {}, options?: CallOptions): Promise<void> {
    await this.call('DELETE', `/${id}`, { namespace: TEC_NAMESPACE, query: params }, acknowledged(options));
  }
}

/** Attendees of tickets and RSVPs (Event Tickets). TEC: the API cannot delete them. */
export class Attendees extends ReadableCollection<Wire.Attendee, Wire.AttendeeList, Params.AttendeeFilters, NoParams> {
  constructor(transport: Transport) {
    super(transport, TICKETS_NAMESPACE, 'attendees');
  }

  /**
   * Adds an attendee: takes a place of an RSVP, or sells a ticket.
   * @throws BadRequestError with the code `ticket-sold-out`. TEC: an RSVP without places takes the attendee, and a ticket without stock
   *   returns the newest attendee, without a new one
   */
  create(fields: Params.AttendeeFields, options?: CallOptions): Promise<Wire.Attendee> {
    return this.call('POST', '', { body: fields }, options);
  }

  /**
   * Updates an attendee. `check_in: true` checks in, `check_in: false` reverts it.
   * @throws BadRequestError for who is checked in already. TEC: ServerError with the code `invalid-attendee-id` if the attendee does not exist
   */
  update(id: number, fields: Params.AttendeeChanges, options?: CallOptions): Promise<Wire.Attendee> {
    return this.call('PUT', `/${id}`, { body: fields }, options);
  }
}
