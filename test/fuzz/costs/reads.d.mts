export function readsOf(
  site: { url: string; table: readonly object[] },
  most: number,
): Promise<{ name: string; target: string; headers?: Record<string, string> }[]>;
