export interface Effort {
  budget: number;
  least: number;
  most: number;
  longest: number;
}

export interface Run {
  groups: Record<string, { name: string; figure?: number }[]>;
}

export function allowance(events: number): number;
export function requestsFor(cpuEach: number, effort: Effort): number;
export function multipleOf(cpu: { server: number; engine?: number }, bare: number): number;
export function median(values: readonly number[]): number;
export function changes(before: Run, now: Run): [group: string, name: string, before: number, now: number][];

export interface Used {
  cpu: Record<string, number>;
  writes: number;
}

export interface Script {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
}

export interface Walked {
  file: string;
  name: string;
}

export function withoutWriter(during: Used, alone: Used, requests: number): Record<string, number>;
export function walked(runs: readonly Script[][], root: string): Walked[];
export function totalsOf(functions: readonly Walked[]): {
  files: number;
  functions: number;
  rooms: { name: string; files: number; functions: number; names: string[] }[];
};
