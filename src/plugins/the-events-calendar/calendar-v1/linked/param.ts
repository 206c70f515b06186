import { isNumeric } from '../../../../base/php/cast.js';
import { createLinked } from './save.js';
import { LINKED_RESOURCES } from './kinds.js';
import { listOf, postList } from '../../../../wordpress/rest/checks.js';
import { LINKED_MESSAGES } from '../messages.js';
import { LINKED, type LinkedKind } from '../../model/event.js';
import { isFine, Resolved, type CallContext, type Json } from '../../../../wordpress/rest/route.js';

type Data = { [key: string]: Json };

const isData = (value: Json): value is Data => value !== null && typeof value === 'object' && !Array.isArray(value);

/** PHP: null counts as absent. */
const hasId = (data: Data): boolean => 'id' in data && data.id !== null;

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === '0' || value === false;

/** TEC: the values that mean "none". */
const isEmptyLink = (value: Json | undefined): boolean => isNothing(value) || (Array.isArray(value) && value.every(isNothing));

/** Data is validated as on creation: required fields and custom checks, but not types (TEC). */
async function dataIsValid(data: Data, kind: LinkedKind, context: CallContext): Promise<boolean> {
  for (const [name, arg] of Object.entries(LINKED_RESOURCES[kind].fields)) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined || value === null) {
      if (arg.required) return false;
    } else if (arg.validate && !isFine(await arg.validate(value, context))) return false;
  }
  return true;
}

/** Whether all items can be linked: posts that exist, all looked up at once, and valid data. */
async function areValid(items: readonly Json[], kind: LinkedKind, context: CallContext): Promise<boolean> {
  const wanted: Json[] = [];
  const created: Data[] = [];
  for (const item of items) {
    if (isData(item) && !hasId(item)) {
      created.push(item);
      continue;
    }
    if (isData(item) && isNothing(item.id)) continue;
    const ids = isData(item) ? listOf(item.id) : [item];
    if (ids.length === 0 || !ids.every((id) => isNumeric(id))) return false;
    wanted.push(...ids);
  }
  if (wanted.length > 0 && !(await postList(LINKED[kind].type)(wanted, context))) return false;
  for (const data of created) if (!(await dataIsValid(data, kind, context))) return false;
  return true;
}

/** Ids, and the data of what is to be created. */
type SentLinks = readonly (number | Data)[] | 'unusable';

const linkOf = (item: Json): number | Data => (isData(item) && !hasId(item) ? item : Math.trunc(Number(isData(item) ? item.id : item)));

/**
 * Resolves a checked value. TEC: a kind of which an event has one comes alone; others come as a list once one of them is data. Some other
 * forms pass the check, and then cannot be used.
 */
function sentLinks(value: Json, kind: LinkedKind, { site }: CallContext): SentLinks {
  const { many } = LINKED[kind];
  if (isNumeric(value)) return [linkOf(value)];
  if (Array.isArray(value)) return many || !site.quirks.has('venue-list-is-refused') ? value.map(linkOf) : 'unusable';
  if (!isData(value)) return 'unusable';
  if (!hasId(value)) return many ? 'unusable' : [value];
  // TEC: if several can be linked, the members of an object are treated as the items of a list.
  if (many && !Object.values(value).every((member) => isNumeric(member))) return 'unusable';
  return isNothing(value.id) ? [] : [linkOf(value)];
}

/** The check of `venue` and `organizer` of an event: ids, data, or lists of these. */
export const linkedParam =
  (kind: LinkedKind) =>
  async (value: Json, context: CallContext): Promise<false | Resolved<SentLinks>> => {
    if (isEmptyLink(value)) return new Resolved([]);
    const items = isData(value) ? [value] : listOf(value);
    const isValid = items.length > 0 && (await areValid(items, kind, context));
    return isValid && new Resolved(sentLinks(value, kind, context));
  };

/**
 * Ids of what the checked parameter of a kind stands for; data is made into posts.
 * @throws RestError 400 for values that pass the check but cannot be used
 */
export async function linkedIdsFor(kind: LinkedKind, sent: SentLinks, context: CallContext): Promise<number[]> {
  if (sent === 'unusable') throw LINKED_MESSAGES[kind].couldNotCreate();
  const ids: number[] = [];
  for (const link of sent) ids.push(typeof link === 'number' ? link : (await createLinked(kind, link, context))._id);
  return [...new Set(ids)];
}
