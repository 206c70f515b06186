/** The arithmetic of the bench: what a figure is compared with. */

/**
 * Up to this number of events, the whole content is read from each server before the rows, for json-server, which cannot load more in
 * reasonable time.
 */
export const MOST_READ = 10_000;

/** Maximum cost of a request relative to 10,000 events. */
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

/** Processor time of server and engine together as a multiple of that of a bare server. An engine whose time is unknown counts as 0. */
export const multipleOf = ({ server, engine }, bare) => (server + (Number.isFinite(engine) ? engine : 0)) / bare;

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Compares each figure with that of an earlier run: `[group, name, before, now]` for those that both have. */
export function changes(before, now) {
  return Object.entries(now.groups).flatMap(([group, rows]) =>
    rows.flatMap(({ name, figure }) => {
      const old = before.groups?.[group]?.find((row) => row.name === name)?.figure;
      return Number.isFinite(old) && Number.isFinite(figure) ? [[group, name, old, figure]] : [];
    }),
  );
}

/**
 * Processor time per request, without that of a writer beside the requests: `alone` is what the writer used in an interval by itself. If it
 * came to fewer writes or more, its time counts for as many as there were.
 * @param during, alone `cpu` in ms by process, and how many `writes` there were
 */
export function withoutWriter(during, alone, requests) {
  const share = alone.writes === 0 ? 1 : during.writes / alone.writes;
  return Object.fromEntries(Object.entries(during.cpu).map(([name, ms]) => [name, (ms - alone.cpu[name] * share) / requests]));
}

/**
 * The functions that ran in every one of some runs: what a timer does now and then is in some only.
 * @param runs what V8 tells of each: scripts with their functions and how often these ran
 * @param root URL that the scripts begin with; others do not count
 * @returns file and name of each
 */
export function walked(runs, root) {
  const ran = (scripts) =>
    new Map(
      scripts
        .filter(({ url }) => url.startsWith(root))
        .flatMap(({ url, functions }) =>
          functions
            .filter(({ ranges: [{ count, startOffset }], functionName }) => count > 0 && !(startOffset === 0 && functionName === ''))
            .map(({ ranges: [{ startOffset }], functionName }) => [
              `${url}:${startOffset}`,
              { file: url.slice(root.length), name: functionName },
            ]),
        ),
    );
  const [first, ...others] = runs.map(ran);
  return [...first].filter(([key]) => others.every((run) => run.has(key))).map(([, found]) => found);
}

/** How many files and functions there are, in all and by folder, the largest first. @param functions file and name of each */
export function totalsOf(functions) {
  const roomOf = ({ file }) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '(top)');
  const filesOf = (those) => new Set(those.map(({ file }) => file)).size;
  const rooms = [...new Set(functions.map(roomOf))].map((name) => {
    const those = functions.filter((each) => roomOf(each) === name);
    return { name, files: filesOf(those), functions: those.length, names: those.map((each) => `${each.file}: ${each.name}`) };
  });
  rooms.sort((a, b) => b.functions - a.functions || a.name.localeCompare(b.name));
  return { files: filesOf(functions), functions: functions.length, rooms };
}
