import { listStatus, nonEmptyString, positiveInt } from './validators.js';
import type { Args, Arg } from '../rest/route.js';

/** Parameters that every list has. */
export const pageArg = (what: string): Arg => ({
  type: 'integer',
  default: 1,
  description: `Page of the list of ${what} to return.`,
  validate: positiveInt,
});

/** The default is the site's option, shown as it was saved: text, as a rule (WP). */
export const perPageArg = (what: string): Arg => ({
  type: 'integer',
  default: (site) => site.options.postsPerPage,
  description: `How many ${what} a page holds; 50 at most.`,
  validate: positiveInt,
});

export const searchArg = (where: string): Arg => ({
  type: 'string',
  description: `Text to look for in ${where}.`,
  validate: nonEmptyString,
});

export const statusArg = (what: string): Arg => ({
  format: 'string',
  description: `Post status of the ${what}; several as a comma-separated list, for those who may edit them.`,
  validate: listStatus,
  doc: { type: 'string' },
});

export const pagingArgs = (what: string): Args => ({ page: pageArg(what), per_page: perPageArg(what) });
