// The scenarios, in order.
import { clients } from './clients.mjs';
import { clock } from './clock.mjs';
import { disk } from './disk.mjs';
import { floods } from './floods.mjs';
import { fuzz } from './fuzz.mjs';
import { kills } from './kills.mjs';
import { linear } from './linear.mjs';
import { pair } from './pair.mjs';
import { pauses } from './pauses.mjs';
import { soak, soakInMemory } from './soak.mjs';

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title description for the table
 * @property {{ short: number, full: number }} rounds number of rounds
 * @property {(context: object) => Promise<void>} run
 */

/** @type {readonly Scenario[]} */
export const SCENARIOS = [kills, pauses, linear, pair, clock, clients, floods, disk, soak, soakInMemory, fuzz];
