import * as yup from 'yup';
import type { SharedFields } from '../../../../transfer/formats/dataset/content.js';
import {
  filled,
  flagRule,
  idRule,
  listRule,
  MUST_EXIST,
  record,
  textRule,
  about,
  wholeFrom,
  wholeRule,
} from '../../../../transfer/formats/schema.js';

/** The tickets of events and pages, and who has them. */

export const NUMBER = /^\d+(?:\.\d+)?$/;

/** A price in dollars, the currency of the plugin: `25.5` or `"25.50"`. */
const amount = (what: string, isRequired = false) =>
  yup
    .lazy((value: unknown) =>
      typeof value === 'string'
        ? textRule().matches(NUMBER, 'must be a number, such as 12.5')
        : yup
            .number()
            .strict()
            .typeError('must be a number')
            .nonNullable()
            .min(0, 'must not be negative')
            .test('required', MUST_EXIST, (given) => !isRequired || given !== undefined),
    )
    .meta({
      ...about(what),
      jsonSchema: {
        anyOf: [
          { type: 'number', minimum: 0 },
          { type: 'string', pattern: NUMBER.source },
        ],
      },
    });

const from = (what: string) => textRule().meta(about(what));

const period = () =>
  record({
    from: from('First moment, such as "-1w" or "2026-08-01 10:00". Default: the publication of the event.'),
    until: from('Last moment; a day counts as a whole. Default: the start of the event.'),
  })
    .optional()
    .default(undefined);

const TEXTS = ['title', 'slug', 'author', 'status', 'date', 'password'];

const VALUES = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

const ORDER_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' }])),
    meta: { type: 'object', additionalProperties: VALUES },
  },
  additionalProperties: false,
};

/** @param shared the fields that posts of all types share */
export function ticketLists(shared: yup.ObjectShape) {
  const somebody = {
    ...shared,
    name: filled(),
    email: textRule().meta(about('Default: made from the name.')),
    checked_in: flagRule(),
    opted_out: flagRule().meta(about('Does not show on the page of the event.')),
  };
  const bought = record({ ...shared, title: textRule(), status: textRule().meta(about('Default: tec-tc-completed.')) });
  const buyer = record({
    ...somebody,
    order: yup
      .lazy((value: unknown) => (typeof value === 'number' ? idRule() : bought.optional().default(undefined)))
      .meta({
        ...about('Order in which it was bought, or its id. Attendees with the same one bought together. Default: a separate one.'),
        jsonSchema: { anyOf: [{ type: 'integer', minimum: 1 }, ORDER_SCHEMA] },
      }),
  });
  const guest = record({ ...somebody, going: flagRule().meta(about('Whether they come. Default: true.')) });
  const common = {
    ...shared,
    name: filled(),
    description: textRule(),
    content: textRule(),
    capacity: wholeFrom(0).meta(about('How many there are. Default: any number.')),
    on_sale: period().meta(about('When it is available.')),
    menu_order: wholeRule().meta(about('Position among the tickets of the event.')),
  };
  return {
    tickets: listRule(
      record({
        ...common,
        price: amount('In US dollars. Default: 0.'),
        sale: record({
          price: amount('Must be below the price.', true),
          from: from('First day. Default: any day.'),
          until: from('Last day. Default: any day.'),
        })
          .optional()
          .default(undefined)
          .meta({ ...about('A lower price for some days.'), jsonSchema: { required: ['price'] } }),
        sku: textRule().meta(about('Default: made from the id and the name.')),
        sold: wholeFrom(0).meta(about('How many are sold, also to people who are not in attendees. Default: the number of attendees.')),
        attendees: listRule(buyer).meta(about('Who bought one.')),
      }),
    ).meta(about('Tickets that are sold. They need the plugin event-tickets, which is then on.')),
    rsvp: listRule(
      record({
        ...common,
        sold: wholeFrom(0).meta(about('How many places are taken. Default: the number of attendees who come.')),
        attendees: listRule(guest).meta(about('Who replied.')),
      }),
    ).meta(about('Tickets to reply with. They need the plugin event-tickets, which is then on.')),
  };
}

/** A period as it is written. */
export interface DeclaredPeriod {
  from?: string | undefined;
  until?: string | undefined;
}

export interface DeclaredOrder extends SharedFields {
  title?: string | undefined;
}

export interface DeclaredAttendee extends SharedFields {
  name: string;
  email?: string | undefined;
  checked_in?: boolean | undefined;
  opted_out?: boolean | undefined;
  going?: boolean | undefined;
  order?: number | DeclaredOrder | undefined;
}

/** A ticket of either list. Only ones that are sold have a price. */
export interface DeclaredTicket extends SharedFields {
  name: string;
  description?: string | undefined;
  content?: string | undefined;
  price?: number | string | undefined;
  capacity?: number | undefined;
  sale?: ({ price: number | string } & DeclaredPeriod) | undefined;
  on_sale?: DeclaredPeriod | undefined;
  sku?: string | undefined;
  sold?: number | undefined;
  menu_order?: number | undefined;
  attendees?: readonly DeclaredAttendee[] | undefined;
}

/** The tickets of an event or a page. */
export interface Ticketed {
  tickets?: DeclaredTicket[] | undefined;
  rsvp?: DeclaredTicket[] | undefined;
}
