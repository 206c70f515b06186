/** What other rooms name of the plugin's model: its post types and its taxonomy. */
export * from './names.js';
