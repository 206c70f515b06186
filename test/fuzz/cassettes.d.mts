import type { Server } from '../../src/index.js';

/** Asks a server that only replays for recordings that were damaged. */
export function fuzzCassettes(given: {
  server: Server;
  folder: string;
  seed: number;
  runs: number;
}): Promise<{ statuses: Record<string, number>; failures: string[] }>;
