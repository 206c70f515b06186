/**
 * Processor time and memory of processes, on Linux from /proc, elsewhere from `ps`. Windows has neither: the bench then shows times only.
 * Linux reports nanoseconds of each thread, `ps` hundredths of a second of the process.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * @typedef {Map<string, number>} Cpu processor time so far (user and system) in ms, by thread; one entry if threads are not distinguished
 */

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

/** The processor time between two readings. A thread that ended in between is ignored, a new one counts from its start. */
export const cpuBetween = (before, after) => [...after].reduce((sum, [thread, ms]) => sum + ms - (before.get(thread) ?? 0), 0);

const readPs = (pid) => usageOfPs(execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' }));

function threadsOf(pid) {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).flatMap((thread) => {
    try {
      return [[thread, cpuOfSchedstat(readFileSync(`${folder}/${thread}/schedstat`, 'latin1'))]];
    } catch (error) {
      // The thread has ended meanwhile.
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

/** Processor time of a process so far; NaN if it is unknown. @returns {Cpu} */
export const cpuOf = (pid) => (pid === undefined ? READERS.win32 : reader).cpu(pid);

/** Resident memory of a process in MB; NaN if it is unknown. */
export const residentMegabytes = (pid) => (pid === undefined ? Number.NaN : reader.resident(pid) / 1e6);

/**
 * Processor time of some processes during work, in ms.
 * @param {Record<string, (number | undefined)[]>} pids the processes by what they are called together
 */
export async function cpuDuring(pids, work) {
  const read = () => Object.entries(pids).map(([name, those]) => [name, those.map(cpuOf)]);
  const before = Object.fromEntries(read());
  const result = await work();
  const used = ([name, those]) => [name, those.reduce((sum, cpu, i) => sum + cpuBetween(before[name][i], cpu), 0)];
  return { result, cpu: Object.fromEntries(read().map(used)) };
}
