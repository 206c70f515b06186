/**
 * Measures the CPU time of this process, which hardly depends on other programs.
 * @returns a function that returns the CPU time since the call, in ms
 */
export function spentSince(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
