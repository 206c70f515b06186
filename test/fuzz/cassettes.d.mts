import type { Server } from '../../src/index.js';

/** Requests damaged recordings from a server that only replays. */
export function fuzzCassettes(given: {
  server: Server;
  folder: string;
  seed: number;
  runs: number;
}): Promise<{ statuses: Record<string, number>; failures: string[] }>;
