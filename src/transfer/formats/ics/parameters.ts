import { lookup } from '../../../base/values/records.js';
import { LINKED_KINDS, type Fields } from '../../../plugins/the-events-calendar/model/event.js';
import { exchangedFields } from '../../fields.js';

/** Parameter names that differ from their field names. */
const PARAMETERS: Readonly<Record<string, string>> = lookup({ website: 'X-URL', stateprovince: 'X-STATE' });

/** The linked kinds that are calendar users. The venue is the location. */
export const ADDRESSED = LINKED_KINDS.filter((kind) => kind !== 'venue');

/** Parameters for the text fields of linked posts, which RFC 5545 does not define. */
export const fieldParameters = (table: Fields): { name: string; parameter: string }[] =>
  exchangedFields(table)
    .filter(({ field }) => field.kind === 'text' || field.kind === 'url')
    .map(({ name }) => ({ name, parameter: PARAMETERS[name] ?? `X-${name.toUpperCase().replaceAll('_', '-')}` }));
