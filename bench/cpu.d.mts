export type Cpu = ReadonlyMap<string, number>;

export function cpuOfSchedstat(text: string): number;
export function residentOfStatus(text: string): number;
export function usageOfPs(text: string): { cpu: number; resident: number };
export function cpuBetween(before: Cpu, after: Cpu): number;
export function cpuOf(pid: number | undefined): Cpu;
export function residentMegabytes(pid: number | undefined): number;
export function cpuDuring<Result, Name extends string>(
  pids: Record<Name, (number | undefined)[]>,
  work: () => Promise<Result>,
): Promise<{ result: Result; cpu: Record<Name, number> }>;
