import { listStatus, nonEmptyString, positiveInt } from './validators.js';
import type { ArgsOf, NumberArg, TextArg } from './contract.js';
import type { Paging } from '../params.js';
import type { Arg } from '../rest/route.js';

/** Parameters that every list has. */
export const pageArg = (what: string): NumberArg => ({
  type: 'integer',
  default: 1,
  description: `Page of the list of ${what} to return.`,
  validate: positiveInt,
});

/** The default is the site's option, shown as it was saved: text, as a rule (WP). */
export const perPageArg = (what: string): NumberArg => ({
  type: 'integer',
  default: (site) => site.options.postsPerPage,
  description: `How many ${what} a page holds; 50 at most.`,
  validate: positiveInt,
});

export const searchArg = (where: string): TextArg => ({
  type: 'string',
  description: `Text to look for in ${where}.`,
  validate: nonEmptyString,
});

export const statusArg = (what: string): Omit<Arg, 'type' | 'required'> => ({
  format: 'string',
  description: `Post status of the ${what}; several as a comma-separated list, for those who may edit them.`,
  validate: listStatus,
  doc: { type: 'string' },
});

export const pagingArgs = (what: string): ArgsOf<Paging> => ({ page: pageArg(what), per_page: perPageArg(what) });
