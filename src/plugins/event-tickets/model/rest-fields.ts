import type { Post } from '../../../wordpress/model.js';
import type { MetaView } from '../../../wordpress/rest/posts/post-fields.js';
import type { RestField } from '../../../wordpress/rest/rest-fields/rest-field.js';
import type { Json } from '../../../wordpress/rest/json.js';
import type { Quirks } from '../../../wordpress/quirks.js';
import { canEdit } from '../../../wordpress/users/capabilities.js';
import { RSVP_TICKET } from './names.js';
import { USUAL_TYPES } from './options.js';
import { attendanceOf, published, ticketsOf, type EventTickets } from './related.js';
import { isManager } from './rights.js';
import { OWN_STOCK, TICKETS_LIST, type Ticket } from './ticket.js';

/** The providers of the tickets of an event; false: it has none. PHP: duplicates are removed, but the others keep their index. */
export function ticketed(found: EventTickets, quirks: Quirks): Json {
  const providers = published(found).map(({ provider }) => provider);
  if (providers.length === 0) return false;
  const first = providers
    .map((provider, index) => [provider, index] as const)
    .filter(([provider, index]) => providers.indexOf(provider) === index);
  const isList = first.every(([, index], at) => index === at) || !quirks.has('ticketed-keeps-indexes');
  return isList ? first.map(([provider]) => provider) : Object.fromEntries(first.map(([provider, index]) => [index, provider]));
}

/** A field of posts of the types that may have tickets. */
const TICKETED: Omit<RestField, 'types'> = {
  name: 'ticketed',
  show: (object, { related = {}, site }) =>
    'type' in object && site.options.tickets.types.includes(object.type)
      ? ticketed(ticketsOf(object._id, related), site.quirks)
      : undefined,
};

export const restFields: readonly RestField[] = [
  {
    ...TICKETED,
    types: USUAL_TYPES,
    schema: {
      description: 'Providers of the tickets of the post.',
      type: ['array', 'boolean'],
      context: ['view', 'edit'],
      readonly: true,
    },
  },
  { ...TICKETED, types: ({ postTypes }) => postTypes.map(({ name }) => name).filter((name) => !USUAL_TYPES.includes(name)) },
];

/** Fields of tickets that are hidden from callers who may not edit the post. */
const COUNTS = ['capacity', 'sharedCapacity', 'sold', 'shareSold'];

/** A ticket as editors of events get it. */
function listed(ticket: Ticket): Record<string, Json> {
  const { post, id, isManaged, capacity, available, price, sold, mode } = ticket;
  const shownCapacity = isManaged ? capacity : '';
  return {
    id,
    type: 'default',
    title: post.title,
    description: post.excerpt,
    capacityType: isManaged ? mode : 'unlimited',
    price,
    capacity: shownCapacity,
    available,
    sharedCapacity: shownCapacity,
    sold,
    shareSold: sold,
    isShared: mode !== OWN_STOCK,
    currencyDecimalPoint: '.',
    currencyNumberOfDecimals: 2,
    currencyPosition: 'prefix',
    currencySymbol: '$',
    currencyThousandsSep: ',',
  };
}

const tcTickets = (post: Post, view: MetaView): Ticket[] =>
  view.site.options.tickets.types.includes(post.type)
    ? published(ticketsOf(post._id, view.related ?? {})).filter(({ provider }) => provider === 'tc')
    : [];

/** Meta that is computed when it is shown. */
export function shownMeta(shown: Record<string, Json>, post: Post, view: MetaView): Record<string, Json> {
  if (!(TICKETS_LIST in shown)) return shown;
  const { quirks, registry } = view.site;
  const seesCounts = quirks.has('tickets-list-shows-sold') || canEdit(view.user, post, registry);
  const isShown = ([name]: [string, Json]): boolean => seesCounts || !COUNTS.includes(name);
  const list = JSON.stringify(tcTickets(post, view).map((ticket) => Object.fromEntries(Object.entries(listed(ticket)).filter(isShown))));
  if (post.type !== RSVP_TICKET) return { ...shown, [TICKETS_LIST]: list };
  const { all, going } = attendanceOf(post._id, ticketsOf(post.forEvent ?? 0, view.related ?? {}));
  const counts = isManager(view.user) ? { going, not: all - going } : { going: 0, not: 0 };
  return {
    ...shown,
    [TICKETS_LIST]: list,
    _tribe_ticket_going_count: String(counts.going),
    _tribe_ticket_not_going_count: String(counts.not),
  };
}
