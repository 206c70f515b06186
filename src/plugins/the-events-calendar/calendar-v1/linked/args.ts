import { postId, stringOrEmpty, urlOrEmpty, type ArgsOf, type TextArg } from '../validators.js';
import { eachText, flagFields, type Fields, type FlagNames, type TextField, type TextNames } from '../../model/field.js';
import type { ById } from '../../../../sdk/types/params.js';
import type { Arg } from '../../../../wordpress/rest/route.js';

/** Parameters of the by-id routes of venues and organizers. TEC: an invalid id is an invalid parameter, not a missing route. */
export const linkedIdArgs = (postType: string, noun: string): ArgsOf<ById> => ({
  id: { type: 'integer', required: true, description: `ID of the ${noun}.`, validate: postId(postType) },
});

/** A text of a venue or an organizer. TEC: its default is shown as null, but does not count as a default. */
export const linkedTextArg = (description: string, validate: Arg['validate'] = stringOrEmpty): TextArg => ({
  type: 'string',
  default: null,
  description,
  validate,
});

const argOf = ({ kind, description = '' }: TextField): TextArg => linkedTextArg(description, kind === 'url' ? urlOrEmpty : stringOrEmpty);

/** The argument of each text of a table of fields. */
export const textArgs = <Table extends Fields>(table: Table): Record<TextNames<Table>, TextArg> => eachText(table, argOf);

/** The argument of each flag of a table. TEC: a text. */
export const flagArgs = <Table extends Fields>(table: Table): Record<FlagNames<Table>, TextArg> =>
  Object.fromEntries(
    flagFields(table).map(([name, { description = '' }]): [string, TextArg] => [name, { type: 'string', default: null, description }]),
  ) as Record<FlagNames<Table>, TextArg>;
