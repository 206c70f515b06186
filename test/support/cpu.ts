/**
 * Starts to measure the computing time of this process: other programs on the machine hardly change it.
 * @returns what was spent since, in ms
 */
export function spentSince(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
