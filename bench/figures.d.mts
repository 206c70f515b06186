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
