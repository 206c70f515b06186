// The scenarios, in the order in which they are run.
import { kills } from './kills.mjs';

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title what it does, for the table
 * @property {{ short: number, full: number }} rounds how often
 * @property {(context: object) => Promise<void>} run
 */

/** @type {readonly Scenario[]} */
export const SCENARIOS = [kills];
