import type { Fields } from '../../../tec/field.js';
import { LINKED_KINDS } from '../../../tec/linked.js';
import { exchangedFields } from '../../fields.js';

/** Parameters whose names differ from those of their fields. */
const PARAMETERS: Readonly<Record<string, string>> = { website: 'X-URL', stateprovince: 'X-STATE' };

/** The kinds that are calendar users; the venue is the location. */
export const ADDRESSED = LINKED_KINDS.filter((kind) => kind !== 'venue');

/** Texts of a venue or organizer as parameters of its property: RFC 5545 has no place for them. */
export const fieldParameters = (table: Fields): { name: string; parameter: string }[] =>
  exchangedFields(table)
    .filter(({ field }) => field.kind === 'text' || field.kind === 'url')
    .map(({ name }) => ({ name, parameter: PARAMETERS[name] ?? `X-${name.toUpperCase().replaceAll('_', '-')}` }));
