import type { Server } from '../src/index.js';

/** The contents of fixtures/api-examples.json, from a server that was just started with the options below. */
export function apiExamples(server: Server, password: string): Promise<unknown>;

/** The options of the server that the examples come from. */
export const EXAMPLE_SERVER: { now: string; url: string; adminPassword: string; profile: 'standard' };
