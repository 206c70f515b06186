/** Names of the plugin's model that other rooms use: its post types and its taxonomy. */
export * from './names.js';
