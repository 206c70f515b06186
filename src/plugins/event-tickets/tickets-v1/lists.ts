import type { Json } from '../../../wordpress/rest/request.js';
import { intval, isEmpty, isNumeric, toStr } from '../../../base/php/cast.js';
import { listOf, lookUpAll, positiveInt } from '../../../wordpress/rest/checks.js';
import { isTime, momentAt } from '../../the-events-calendar/model/dates.js';
import { RestResponse, Resolved, CriticalError, invalidParam, RestError } from '../../../wordpress/rest/route.js';
import type { Arg, Args, CallContext, Check } from '../../../wordpress/rest/route.js';
import { momentOf } from '../model/moments.js';
import type { Provider } from '../model/ticket.js';
import { knownIds } from '../model/visible.js';

/* Code that the lists of tickets and of attendees share. */

const nonEmpty: Check = (value) => typeof value === 'string' && value !== '' && value !== '0';

/** A filter without a declared type, whose value is checked elsewhere or not at all. */
export const anything = (description: string) => ({ description }) satisfies Arg;

export const text = (description: string) => ({ type: 'string', description }) satisfies Arg;

export const flag = (description: string) => ({ type: 'boolean', description }) satisfies Arg;

export const integer = (description: string) => ({ type: 'integer', description }) satisfies Arg;

export const search = (description: string) => ({ ...text(description), validate: nonEmpty }) satisfies Arg;

export const time = (description: string) =>
  ({
    ...text(description),
    validate: (value, { site }) => isTime(value, momentAt(site)),
  }) satisfies Arg;

/** `id` as it is captured from the path. */
export const captured = (description: string) =>
  ({
    type: 'integer',
    required: true,
    captured: true,
    description,
    validate: (value, context) => isNumeric(value) && !isEmpty(value) && positiveInt(value, context),
  }) satisfies Arg;

/** Positive numbers, as a list or with commas. */
export const ids = (description: string) =>
  ({
    description,
    validate: (value, context) => listOf(value).length > 0 && listOf(value).every((item) => positiveInt(item, context) === true),
  }) satisfies Arg;

/** Ids of existing posts of some types; without types, of any. */
export const existing = (description: string, types?: readonly string[]) =>
  ({
    description,
    validate: async (value, context) => {
      const wanted = listOf(value);
      if (wanted.length === 0 || !wanted.every((item) => positiveInt(item, context) === true)) return false;
      const found = await lookUpAll(wanted.map(Number), async (part) => {
        const known = await knownIds(part, context, types);
        return known.length === part.length ? known : null;
      });
      return found !== null && new Resolved(found);
    },
  }) satisfies Arg;

export const paging = (what: string) =>
  ({
    page: {
      description: 'Page of results to return.',
      type: 'integer',
      default: 1,
      minimum: 1,
      sanitize: (value) => Math.abs(intval(value)),
    },
    per_page: {
      description: `Number of ${what} per page.`,
      type: 'integer',
      default: ({ options }) => toStr(options.postsPerPage),
      minimum: 1,
      maximum: 100,
      sanitize: (value) => Math.abs(intval(value)),
    },
  }) satisfies Args;

export const orders = (columns: readonly string[]) =>
  ({
    offset: integer('Number of results to skip.'),
    order: { ...text('Sort order.'), enum: ['ASC', 'DESC'] },
    orderby: { ...text('Field to sort by.'), enum: [...columns] },
  }) satisfies Args;

/** The ids that a parameter names; undefined: it was not sent. */
export const idsOf = ({ request }: CallContext, name: string): ReadonlySet<number> | undefined => {
  const value = request.get(name);
  return value === undefined ? undefined : new Set(listOf(value).map(intval));
};

/** The providers of tickets and attendees, by their names in parameters. */
const PROVIDERS: Readonly<Record<string, Provider>> = { rsvp: 'rsvp', 'tickets-commerce': 'tc' };

/** The providers that a request names; undefined: it names none. */
export const providersOf = (context: CallContext): ReadonlySet<Provider | undefined> | undefined => {
  const words = wordsOf(context, 'provider');
  return words && new Set(words.map((name) => (Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined)));
};

/** The times between which posts were published, inclusive. TEC: with `before`, `after` does nothing. */
export function publishedBetween({ request, site }: CallContext): { after?: string; before?: string } {
  const [after, before] = ['after', 'before'].map((name) => momentOf(request.get(name), site));
  const ignoresAfter = before !== undefined && site.quirks.has('ticket-lists-ignore-parameters');
  return { ...(after === undefined || ignoresAfter ? {} : { after }), ...(before === undefined ? {} : { before }) };
}

/** The words of a parameter with commas. */
export const wordsOf = ({ request }: CallContext, name: string): string[] | undefined => {
  const value = request.get(name);
  return value === undefined ? undefined : listOf(value).map(toStr);
};

/** A parameter of the query as the address of the list shows it; undefined: not at all. */
function echoed(name: string, value: Json): string[] {
  if (value === false || value === null) return [];
  if (value === true) return [`${name}=1`];
  const shown = typeof value === 'object' ? listOf(value).map(toStr).join(',') : toStr(value);
  return [shown === '' ? name : `${name}=${shown}`];
}

/** The address of a list: its declared parameters as they were sent, in their order, not encoded. */
function addressOf({ request, site }: CallContext, path: string, args: Args): string {
  const sent = Object.entries(request.sources.query).filter(([name]) => Object.hasOwn(args, name));
  const query = sent.flatMap(([name, value]) => echoed(name, value)).join('&');
  return `${site.restUrl(path)}/${query === '' ? '' : `?${query}`}`;
}

/** A page of a list. */
interface Wanted {
  context: CallContext;
  args: Args;
  /** The path of the list, and the name of its items in the response. */
  path: string;
  key: string;
  /** How many there are. */
  found: number;
  /** @returns what the page shows */
  show: (offset: number, limit: number) => Promise<Json>;
}

/** The part of a list that a request wants. @throws RestError for a page beyond the last */
export async function pageOf({ context, args, path, key, found, show }: Wanted): Promise<RestResponse> {
  const { request, site } = context;
  const perPage = intval(request.get('per_page'));
  const page = Math.max(1, intval(request.get('page')));
  if (perPage === 0) throw site.quirks.has('zero-tickets-per-page-crashes') ? new CriticalError() : invalidParam('per_page');
  const ignoresOffset = site.quirks.has('ticket-lists-ignore-parameters');
  const offset = Math.abs(intval(request.get('offset')));
  // TEC: an offset only matters if nothing follows it.
  const total = ignoresOffset && offset > 0 && offset >= found ? 0 : found;
  const pages = Math.ceil(total / perPage);
  if (page > 1 && page > pages)
    throw new RestError('invalid-page-number', 'The page number requested is larger than the number of pages available.', 400);
  const start = Math.min((page - 1) * perPage + (ignoresOffset ? 0 : offset), Number.MAX_SAFE_INTEGER);
  const body = {
    rest_url: addressOf(context, path, args),
    total,
    total_pages: pages,
    [key]: start < total ? await show(start, perPage) : [],
  };
  return new RestResponse(body, 200, { 'X-ET-TOTAL': total, 'X-ET-TOTAL-PAGES': pages });
}
