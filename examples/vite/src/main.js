import { showEvents } from './whats-on.js';

await showEvents(document.getElementById('events'), '');
