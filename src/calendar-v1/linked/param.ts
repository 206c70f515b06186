import { isNumeric } from '../../php/cast.js';
import { createLinked } from './save.js';
import { LINKED_RESOURCES } from './kinds.js';
import { listOf, postIds } from '../../rest/checks.js';
import { LINKED_MESSAGES } from '../messages.js';
import { LINKED, type LinkedKind } from '../../tec/linked.js';
import { isFine, type Arg, type CallContext, type Json } from '../../rest/route.js';

type Data = { [key: string]: Json };

const isData = (value: Json): value is Data => value !== null && typeof value === 'object' && !Array.isArray(value);

/** PHP: what is null is not there. */
const hasId = (data: Data): boolean => 'id' in data && data.id !== null;

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === '0' || value === false;

/** TEC: nothing at all, in any of the forms that mean so. */
const isEmptyLink = (value: Json | undefined): boolean => isNothing(value) || (Array.isArray(value) && value.every(isNothing));

/** Data is checked as on creation: what is required, and the custom checks, not the types (TEC). */
async function dataIsValid(data: Data, kind: LinkedKind, context: CallContext): Promise<boolean> {
  for (const [name, arg] of Object.entries(LINKED_RESOURCES[kind].fields)) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined || value === null) {
      if (arg.required) return false;
    } else if (arg.validate && !isFine(await arg.validate(value, context))) return false;
  }
  return true;
}

async function itemIsValid(item: Json, kind: LinkedKind, context: CallContext): Promise<boolean> {
  const exists = postIds(LINKED[kind].type);
  if (!isData(item)) return isNumeric(item) && (await exists(item, context)) === true;
  if (!hasId(item)) return dataIsValid(item, kind, context);
  return isNothing(item.id) || (await exists(item.id, context)) === true;
}

/** The check of `venue` and `organizer` of an event: ids, data, or lists of these. */
export const linkedParam =
  (kind: LinkedKind): NonNullable<Arg['validate']> =>
  async (value, context) => {
    if (isEmptyLink(value)) return true;
    const items = isData(value) ? [value] : listOf(value);
    for (const item of items) if (!(await itemIsValid(item, kind, context))) return false;
    return items.length > 0;
  };

async function idOf(item: Json, kind: LinkedKind, context: CallContext): Promise<number> {
  if (!isData(item)) return Math.trunc(Number(item));
  return hasId(item) ? Math.trunc(Number(item.id)) : (await createLinked(kind, item, context))._id;
}

/**
 * Ids that a checked parameter stands for; data is made into posts. Null for no link at all.
 * TEC: what an event has one of comes alone; others come as a list once one of them is data.
 * @throws RestError 400 for the forms that pass the check and then cannot be used
 */
export async function linkedIdsFor(value: Json | undefined, kind: LinkedKind, context: CallContext): Promise<number[] | null> {
  if (isEmptyLink(value) || value === undefined || value === null) return null;
  if (isNumeric(value)) return [Math.trunc(Number(value))];
  if (isData(value) && hasId(value)) {
    // TEC: where several can be linked, the members of data are taken for the items of a list.
    const isOnlyId = Object.values(value).every((member) => isNumeric(member));
    if (LINKED[kind].many && !isOnlyId) throw LINKED_MESSAGES[kind].couldNotCreate();
    return isNothing(value.id) ? null : [await idOf(value, kind, context)];
  }
  const asList = Array.isArray(value) && (LINKED[kind].many || !context.site.quirks.has('venue-list-is-refused'));
  const alone = !LINKED[kind].many && isData(value);
  if (!asList && !alone) throw LINKED_MESSAGES[kind].couldNotCreate();
  const ids: number[] = [];
  for (const item of asList ? value : [value]) ids.push(await idOf(item, kind, context));
  return [...new Set(ids)];
}
