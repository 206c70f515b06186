import { replayPacked } from './packed.js';
import { RECORDED_WITH } from './wordpress.mjs';

// The dataset contains tickets, which switches the plugin on.
describe('recorded responses of Event Tickets', () => replayPacked('cases-tickets.json.br', 1, RECORDED_WITH, 'world-tickets.json'));
