import type { Fields } from '../../../tec/field.js';
import { exchangedFields } from '../../fields.js';

/** Parameters whose names differ from those of their fields. */
const PARAMETERS: Readonly<Record<string, string>> = { website: 'X-URL', stateprovince: 'X-STATE' };

/** Texts of a venue or organizer as parameters of its property: RFC 5545 has no place for them. */
export const fieldParameters = (table: Fields): { name: string; parameter: string }[] =>
  exchangedFields(table)
    .filter(({ field }) => field.kind === 'text' || field.kind === 'url')
    .map(({ name }) => ({ name, parameter: PARAMETERS[name] ?? `X-${name.toUpperCase().replaceAll('_', '-')}` }));
