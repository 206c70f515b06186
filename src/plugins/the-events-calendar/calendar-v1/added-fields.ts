import { asJsonObject } from '../../../base/values/json.js';
import type { Post, Term, User } from '../../../wordpress/model.js';
import type { FieldView, RestField, RestObject } from '../../../wordpress/rest/rest-fields/rest-field.js';
import { restFieldsOf, withRestFields } from '../../../wordpress/rest/rest-fields/shown.js';
import { fieldArgs } from '../../../wordpress/rest/rest-fields/field-args.js';
import { canEditTerms } from '../../../wordpress/rest/permissions.js';
import { withSentFields } from '../../../wordpress/rest/rest-fields/writes.js';
import type { Args, CallContext } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { canEdit } from '../../../wordpress/users/capabilities.js';
import { CALENDAR_V1 } from '../model/index.js';
import type { View } from './view.js';

/** Fields that other plugins add to the responses of the calendar (TEC: `tribe_rest_event_data` and the like), under every name of it. */

const addedFields = (registry: Registry, type: string): readonly RestField[] => restFieldsOf(registry, type, CALENDAR_V1);

/** Whether all fields of a type are behind what the calendar shows, so that what it has shown can be used again. */
export const areLast = (registry: Registry, type: string): boolean => addedFields(registry, type).every(({ after }) => after === undefined);

/** Who sees an item, and how. `isPart`: within another item. */
type Reader = Pick<View, 'related' | 'editing'> & { site: Site; user: User | null; isPart?: boolean };

/** Adds the fields to an item that is a post. @param shown its members, which this may change */
export function withAddedFields<Shown extends object>(shown: Shown, post: Post, reader: Reader): Shown {
  const { site, user, related, editing, isPart = false } = reader;
  const view: FieldView = { site, user, related, context: isPart ? 'embed' : editing ? 'edit' : 'view' };
  const mayEdit = (): boolean => canEdit(user, post, site.registry);
  return withRestFields(asJsonObject(shown), post, post.type, view, mayEdit, CALENDAR_V1) as Shown;
}

/**
 * Adds the fields to a term.
 * @param fields the requested ones; empty: all
 */
export function withAddedTermFields<Shown extends object>(
  shown: Shown,
  term: Term,
  { site, user, context, fields }: { site: Site; user: User | null; context: string; fields: readonly string[] },
): Shown {
  const added = addedFields(site.registry, term.taxonomy);
  if (added.length === 0) return shown;
  const view: FieldView = { site, user, context: context === 'embed' || context === 'edit' ? context : 'view' };
  const mayEdit = (): boolean => canEditTerms(user, term.taxonomy, site.registry);
  const whole = withRestFields(asJsonObject(shown), term, term.taxonomy, view, mayEdit, CALENDAR_V1);
  const isRequested = (name: string): boolean =>
    fields.length === 0 || fields.includes(name) || !added.some((field) => field.name === name);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isRequested(name))) as Shown;
}

/** The arguments of writes for the fields of a type. */
export const addedArgs = (registry: Registry, type: string): Args => fieldArgs(addedFields(registry, type));

/** Stores what a request sends for the fields. */
export const withAddedValues = <Stored extends RestObject>(object: Stored, type: string, call: CallContext): Promise<Stored> =>
  withSentFields(object, type, call, CALENDAR_V1);
