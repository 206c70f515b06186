import type { Registrations } from '../../../wordpress/types/registry.js';
import { BLOCKS } from './blocks/event-fields.js';
import { INDEXES } from './indexes.js';
import { readCalendarOptions } from './options.js';
import { POST_TYPES } from './post-types.js';
import { QUERIES } from './query.js';

/** Registrations of the plugin with WordPress. */
export const REGISTRATIONS: Registrations = {
  header: {
    folder: 'the-events-calendar',
    title: 'The Events Calendar',
    description: 'A calendar of events, with venues and organizers.',
    author: 'The Events Calendar',
    authorUrl: 'https://evnt.is/1x',
  },
  types: POST_TYPES,
  queries: QUERIES,
  indexes: INDEXES,
  blocks: BLOCKS,
  options: { calendar: readCalendarOptions },
};
