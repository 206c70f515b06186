/** The arithmetic of the bench: what a figure is compared with. */

/** How much more than at 10,000 events a request may cost. */
export function allowance(events) {
  if (events <= 10_000) return 1;
  return events <= 100_000 ? 1.5 : 2;
}

/**
 * How many requests to measure: as many as use so much processor time in ms, at least `least` unless that takes longer than `longest`,
 * and never more than `most`.
 */
export function requestsFor(cpuEach, { budget, least, most, longest }) {
  const each = Math.max(cpuEach, 0.01);
  const wanted = Math.max(Math.ceil(budget / each), Math.min(least, Math.ceil(longest / each)));
  return Math.max(1, Math.min(wanted, most));
}

/** Processor time of server and engine together as a multiple of that of a bare server. An engine that cannot be read counts as none. */
export const multipleOf = ({ server, engine }, bare) => (server + (Number.isFinite(engine) ? engine : 0)) / bare;

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** What became of each figure of an earlier run: `[group, name, before, now]` for those that both have. */
export function changes(before, now) {
  return Object.entries(now.groups).flatMap(([group, rows]) =>
    rows.flatMap(({ name, figure }) => {
      const old = before.groups?.[group]?.find((row) => row.name === name)?.figure;
      return Number.isFinite(old) && Number.isFinite(figure) ? [[group, name, old, figure]] : [];
    }),
  );
}
