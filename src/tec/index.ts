/**
 * The plugin. Importing it registers its post types; other rooms get the names of these here, so that none can know them without that.
 */
import './post-types.js';

export * from './names.js';
