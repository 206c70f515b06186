export interface Cost {
  name: string;
  status: number | string;
  /** Processor time of server and database in ms. */
  cpu: number;
  /** Growth of memory in MB. */
  grown: number;
  /** How long others waited, in ms. */
  waited: number;
}
export function rowOf(cost: Cost): string;
export function costs(options: {
  events?: number;
  profile: string;
  most?: number;
  listed?: number;
  seed?: number;
  only?: string;
  margin?: number;
  onProgress?: (done: number, all: number) => void;
}): Promise<{ sent: number; statuses: Record<string, number>; dearest: Cost[]; failures: string[] }>;
