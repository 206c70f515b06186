import type { createServer } from '../src/index.js';

export interface Route {
  shards: 'one' | 'all' | 'unsharded';
  what: string;
}

export const SHARDED: string;
export function namesIds(filter: object | undefined): boolean;
export function routesOf(name: string, command: object): Route[];
export function routingRows(create: typeof createServer, uri: string): Promise<string[][]>;
export function routingTable(rows: string[][]): string;
