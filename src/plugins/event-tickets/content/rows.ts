import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  ATTENDEE_KEYS,
  RSVP_STATUS,
  CURRENCY_PAID,
  ORDER_EVENTS,
  ORDER_KEYS,
  ORDER_TICKETS,
  PRICE_PAID,
  RSVP_ORDER,
} from '../model/attendee.js';
import { KEYS, OWN_STOCK, UNLIMITED, type Provider } from '../model/ticket.js';
import type { MetaRow } from '../../../wordpress/model.js';
import { rowsByKey } from '../../../transfer/formats/collect.js';

/** The stored rows of tickets, attendees and orders. Readers make them; writers write as meta what they would not make. */

type Rows = Readonly<Record<string, string | null | undefined>>;

const rowsOf = (rows: Rows): MetaRow[] =>
  Object.entries(rows).flatMap(([key, value]) => (value === null || value === undefined ? [] : [{ key, value }]));

/** The event or page of a ticket. */
export interface Holder {
  id: number;
  /** Local times, `YYYY-MM-DD HH:MM:SS`. */
  published: string;
  /** Empty: it has none. */
  start: string;
}

export interface TicketFacts {
  provider: Provider;
  id: number;
  author: number;
  title: string;
  hasDescription: boolean;
  holder: Holder;
  /** Stored price: `25.5`. */
  price: string;
  /** Null: any number. */
  capacity: number | null;
  sold: number;
  sale: { price: string; from: string; until: string } | null;
  /** When it is available: local times; null: as usual. */
  from: string | null;
  until: string | null;
  sku: string | null;
}

/** TEC: tickets without times are sold from the publication of the event until its start. They are stored in one row. */
export const usualStart = ({ published, start }: Holder): string =>
  `${(start !== '' && start < published ? start : published).slice(0, 10)} 00:00:00`;

function timeRows({ provider, from, until, holder }: TicketFacts): Rows {
  if (provider === 'rsvp') return { [KEYS.startDate]: from, [KEYS.endDate]: until };
  const [startDate, startTime] = from?.split(' ') ?? [usualStart(holder)];
  const [endDate, endTime] = until?.split(' ') ?? [holder.start || null];
  return { [KEYS.startDate]: startDate, [KEYS.startTime]: startTime, [KEYS.endDate]: endDate, [KEYS.endTime]: endTime };
}

/** TEC: the name of a ticket without a SKU. */
const usualSku = ({ id, author, title }: TicketFacts): string => `${id}-${author}-${title.toUpperCase().replaceAll(' ', '-')}`;

export function ticketRows(facts: TicketFacts): MetaRow[] {
  const { provider, holder, price, capacity, sold, sale, sku, hasDescription } = facts;
  const isSold = provider === 'tc';
  return rowsOf({
    [KEYS.type]: 'default',
    [isSold ? KEYS.tcEvent : KEYS.rsvpEvent]: String(holder.id),
    [KEYS.showsDescription]: hasDescription ? 'yes' : 'no',
    [KEYS.price]: isSold ? price : '0',
    [KEYS.managed]: capacity === null ? 'no' : 'yes',
    [KEYS.stock]: capacity === null ? null : String(Math.max(0, capacity - sold)),
    [KEYS.capacity]: String(capacity ?? UNLIMITED),
    [KEYS.sold]: sold > 0 ? String(sold) : null,
    ...timeRows(facts),
    ...(isSold ? { [KEYS.sku]: sku ?? usualSku(facts), [KEYS.mode]: capacity === null ? null : OWN_STOCK } : {}),
    ...(sale ? { [KEYS.isSale]: '1', [KEYS.salePrice]: sale.price, [KEYS.saleStart]: sale.from, [KEYS.saleEnd]: sale.until } : {}),
  });
}

export interface AttendeeFacts {
  provider: Provider;
  id: number;
  name: string;
  email: string;
  ticket: number;
  event: number;
  price: string;
  isOptedOut: boolean;
  isCheckedIn: boolean;
  isGoing: boolean;
}

/** The same for the same attendee, since a dataset may be read more than once. */
const hash = (text: string): string => createHash('md5').update(text).digest('hex');

export function attendeeRows(facts: AttendeeFacts): MetaRow[] {
  const { provider, id, name, email, ticket, event, price, isOptedOut, isCheckedIn, isGoing } = facts;
  const keys = ATTENDEE_KEYS[provider];
  const code = hash(`${id} ${email}`);
  const isSold = provider === 'tc';
  return rowsOf({
    [keys.ticket]: String(ticket),
    [keys.event]: String(event),
    [keys.code]: code.slice(0, 10),
    [keys.optout]: isOptedOut ? '1' : isSold ? '' : '0',
    [keys.email]: email,
    [keys.name]: name,
    [keys.checkedIn]: isCheckedIn ? '1' : null,
    ...(isSold ? { [PRICE_PAID]: price, [CURRENCY_PAID]: 'USD' } : { [RSVP_STATUS]: isGoing ? 'yes' : 'no', [RSVP_ORDER]: code }),
  });
}

/** The rows of an order. @param attendees the ones who bought together, the purchaser first */
export function orderRows(attendees: readonly AttendeeFacts[]): MetaRow[] {
  const [purchaser] = attendees;
  const distinct = (ids: readonly number[]): string[] => [...new Set(ids)].map(String);
  return [
    ...rowsOf({
      [ORDER_KEYS.total]: String(attendees.reduce((sum, { price }) => sum + Number(price), 0)),
      [ORDER_KEYS.gateway]: 'manual',
      [ORDER_KEYS.name]: purchaser.name,
      [ORDER_KEYS.email]: purchaser.email,
    }),
    ...distinct(attendees.map(({ event }) => event)).map((value) => ({ key: ORDER_EVENTS, value })),
    ...distinct(attendees.map(({ ticket }) => ticket)).map((value) => ({ key: ORDER_TICKETS, value })),
  ];
}

/** The title of an order. @param text what it is made from */
export const orderTitle = (text: string): string => `TEC-TC-M-${hash(text).slice(0, 12)}`;

/** Rows with others in their place, by key. A key without values removes its rows. */
export const withMetaOf = (rows: readonly MetaRow[], meta: Readonly<Record<string, string | string[]>> = {}): MetaRow[] => [
  ...rows.filter(({ key }) => !Object.hasOwn(meta, key)),
  ...Object.entries(meta).flatMap(([key, values]) => [values].flat().map((value) => ({ key, value }))),
];

/** Meta with which `withMetaOf` makes the stored rows of the usual ones; undefined: none. */
export function metaBeyond(stored: readonly MetaRow[], usual: readonly MetaRow[]): Record<string, string | string[]> | undefined {
  const [is, would] = [rowsByKey(stored), rowsByKey(usual)];
  const differ = [...new Set([...Object.keys(is), ...Object.keys(would)])].filter((key) => !isDeepStrictEqual(is[key], would[key]));
  if (differ.length === 0) return undefined;
  return Object.fromEntries(differ.map((key) => [key, is[key]?.length === 1 ? is[key][0] : (is[key] ?? [])]));
}
