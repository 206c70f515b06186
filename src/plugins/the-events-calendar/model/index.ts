import { registerIndexes } from '../../../wordpress/indexes.js';
import { registerOptions } from '../../../wordpress/options.js';
import { registerQueries } from '../../../wordpress/query/clauses.js';
import { registerBlocks } from '../../../wordpress/formatting/blocks.js';
import { registerTypes } from '../../../wordpress/types/registry.js';
import { BLOCKS } from './blocks/event-fields.js';
import { INDEXES } from './indexes.js';
import { readCalendarOptions } from './options.js';
import { POST_TYPES } from './post-types.js';
import { QUERIES } from './query.js';

export * from './names.js';

/** The plugin. Other rooms import the names of its post types from here, which registers the types first. */
registerTypes(POST_TYPES);
registerQueries(QUERIES);
registerBlocks(BLOCKS);
registerIndexes(INDEXES);
registerOptions('calendar', readCalendarOptions);
