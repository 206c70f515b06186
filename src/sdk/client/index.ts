import { Collection, SluggedCollection, ReadableCollection, type NoParams } from './resource.js';
import { Transport, type ApiResponse, type Auth, type Call, type CallOptions, type ClientOptions } from './transport.js';
import type * as Params from '../types/params.js';
import type * as Wire from '../types/responses.js';

export * from './errors.js';
export { Items, type Collection, type ListTotals, type ReadableCollection, type SluggedCollection } from './resource.js';
export type { ApiResponse, Auth, Call, CallOptions, ClientOptions, Fetch, FetchResponse, FetchInit } from './transport.js';
export type * from '../types/params.js';
export type * from '../types/responses.js';

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

const DEFAULT_NAMESPACE = 'tribe/events/v1';

type EventParams = Omit<Params.EventById, 'id'>;

/** The index of a namespace. */
export interface NamespaceIndex {
  namespace: string;
  routes: Record<string, { namespace: string; methods: string[]; endpoints: { methods: string[]; args: Record<string, unknown> }[] }>;
}

/** An OpenAPI 3.0 document. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown> };
}

/** A client for the calendar API of a site. */
export class Client {
  readonly events: SluggedCollection<Wire.Event, Wire.EventList, Params.EventFilters, Params.EventFields, EventParams>;
  readonly venues: SluggedCollection<Wire.Venue, Wire.VenueList, Params.LinkedFilters, Params.VenueFields, NoParams>;
  readonly organizers: SluggedCollection<Wire.Organizer, Wire.OrganizerList, Params.LinkedFilters, Params.OrganizerFields, NoParams>;
  readonly categories: Collection<Wire.Term, Wire.CategoryList, Params.CategoryFilters, Params.CategoryFields, NoParams>;
  readonly tags: Collection<Wire.Term, Wire.TagList, Params.TagFilters, Params.TagFields, NoParams>;
  /** The tickets of a site with Event Tickets, in `tribe/tickets/v1`; written through `tec/v1`. */
  readonly tickets: Tickets;
  /** The attendees of a site with Event Tickets. */
  readonly attendees: Attendees;
  private readonly transport: Transport;
  private readonly namespace: string;

  /** @throws TypeError if neither `url` nor `restUrl` is set */
  constructor(options: ClientOptions) {
    const namespace = (options.namespace ?? DEFAULT_NAMESPACE).replace(/^\/+|\/+$/g, '');
    const transport = new Transport(options);
    this.transport = transport;
    this.namespace = namespace;
    this.events = new SluggedCollection(transport, namespace, 'events');
    this.venues = new SluggedCollection(transport, namespace, 'venues');
    this.organizers = new SluggedCollection(transport, namespace, 'organizers');
    this.categories = new Collection(transport, namespace, 'categories');
    this.tags = new Collection(transport, namespace, 'tags');
    this.tickets = new Tickets(transport);
    this.attendees = new Attendees(transport);
  }

  /** URL of the REST root, without trailing slash. */
  get restUrl(): string {
    return this.transport.restUrl;
  }

  /** Creates a client with some different options, such as another user, sandbox or time. */
  with(options: ClientOptions): Client {
    return new Client({ ...this.transport.options, ...options });
  }

  /** Creates a client with other credentials; null: anonymous. */
  as(auth: Auth | null): Client {
    const { auth: _, ...others } = this.transport.options;
    return new Client(auth === null ? others : { ...others, auth });
  }

  /** The routes and parameters of the calendar API. */
  async index(options: CallOptions = {}): Promise<NamespaceIndex> {
    return (await this.send<NamespaceIndex>({ ...options, method: 'GET', path: `/${this.namespace}` })).body;
  }

  /** The OpenAPI document of the calendar API. */
  async doc(options: CallOptions = {}): Promise<OpenApiDocument> {
    return (await this.send<OpenApiDocument>({ ...options, method: 'GET', path: `/${this.namespace}/doc` })).body;
  }

  /** Sends a request to any path below the REST root: `client.send({ method: 'GET', path: '/wp/v2/users/me' })`. */
  send<T>(call: Call): Promise<ApiResponse<T>> {
    return this.transport.send(call);
  }
}

/**
 * Creates a client for the calendar API of a site, Understudy or WordPress.
 * @throws TypeError if neither `url` nor `restUrl` is set
 */
export const createClient = (options: ClientOptions): Client => new Client(options);
