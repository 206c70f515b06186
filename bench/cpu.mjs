/**
 * What processes have used, as the operating system counts it: on Linux from /proc, elsewhere from `ps`. Windows has neither: there nothing
 * is read, and the bench shows times only. Linux tells nanoseconds of each thread, `ps` hundredths of a second of the process.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** @typedef {Map<string, number>} Cpu processor time so far (user and system) in ms, by thread; one entry where threads are not told apart */

/** The first field of `/proc/PID/task/TID/schedstat`: nanoseconds on a processor. */
export const cpuOfSchedstat = (text) => Number(text.split(' ')[0]) / 1e6;

/** The line `VmRSS` of `/proc/PID/status`, in bytes. */
export const residentOfStatus = (text) => Number(/^VmRSS:\s*(\d+) kB/m.exec(text)?.[1] ?? Number.NaN) * 1024;

/** A line of `ps -o time=,rss=`: `[[days-]hours:]minutes:seconds[.hundredths]`, and kilobytes. */
export function usageOfPs(text) {
  const [time, kilobytes] = text.trim().split(/\s+/);
  const [clock, days = '0'] = time.split('-').toReversed();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpu: Math.round((Number(days) * 86_400 + seconds) * 1000), resident: Number(kilobytes) * 1024 };
}

/** What was used between two readings. A thread that ended in between is left out, one that began counts from its beginning. */
export const cpuBetween = (before, after) => [...after].reduce((sum, [thread, ms]) => sum + ms - (before.get(thread) ?? 0), 0);

const readPs = (pid) => usageOfPs(execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' }));

function threadsOf(pid) {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).flatMap((thread) => {
    try {
      return [[thread, cpuOfSchedstat(readFileSync(`${folder}/${thread}/schedstat`, 'latin1'))]];
    } catch (error) {
      // It has just ended.
      if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
      throw error;
    }
  });
}

const READERS = {
  linux: {
    cpu: (pid) => new Map(threadsOf(pid)),
    resident: (pid) => residentOfStatus(readFileSync(`/proc/${pid}/status`, 'utf8')),
  },
  win32: { cpu: () => new Map([['', Number.NaN]]), resident: () => Number.NaN },
};

const PS = { cpu: (pid) => new Map([['', readPs(pid).cpu]]), resident: (pid) => readPs(pid).resident };

const reader = READERS[process.platform] ?? PS;

/** Processor time of a process so far; NaN where the system does not tell, or nobody knows the process. @returns {Cpu} */
export const cpuOf = (pid) => (pid === undefined ? READERS.win32 : reader).cpu(pid);

/** Resident memory of a process in MB; NaN where nobody tells. */
export const residentMegabytes = (pid) => (pid === undefined ? Number.NaN : reader.resident(pid) / 1e6);

/**
 * Processor time of some processes while something is done, in ms.
 * @param {Record<string, (number | undefined)[]>} pids the processes by what they are called together
 */
export async function cpuDuring(pids, work) {
  const read = () => Object.entries(pids).map(([name, those]) => [name, those.map(cpuOf)]);
  const before = Object.fromEntries(read());
  const result = await work();
  const used = ([name, those]) => [name, those.reduce((sum, cpu, i) => sum + cpuBetween(before[name][i], cpu), 0)];
  return { result, cpu: Object.fromEntries(read().map(used)) };
}
