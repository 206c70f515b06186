import { existsSync } from 'node:fs';
import { environmentVariable, type ServerOptions } from '../../../server/config/index.js';
import { nodeProblem } from '../../../base/system/node-version.js';
import { zonesOf } from '../../../base/php/zone-data.js';
import { thisMachine, findPackage, unsupported } from '../../../database/engine/native.js';
import { INSTALLED_MONGOD } from '../../../database/engine/memory-server.js';
import { realTime } from '../../../wordpress/clock.js';
import type { Finding } from '../../../transfer/inspect.js';
import { messageOf } from '../../../base/values/errors.js';

/** Checks of the machine: Node.js, clock, time zones, and what the database engines need. */

export function inspectNode(version: string): Finding {
  const check = 'node';
  const problem = nodeProblem(version);
  return problem === null
    ? { check, status: 'ok', message: `Node.js ${version} on ${process.platform} ${process.arch}.` }
    : { check, status: 'problem', message: `${problem}.`, advice: 'Install a current Node.js' };
}

/** The first release: no clock was earlier. */
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

export function inspectClock(now: number): Finding {
  const check = 'clock';
  const shown = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  if (now >= EARLIEST && now < LATEST) return { check, status: 'ok', message: `The time of this machine is ${shown}.` };
  return {
    check,
    status: 'warning',
    message: `The time of this machine is ${shown}, which is unlikely. Lists of upcoming events and TLS certificates depend on it.`,
    advice: 'Set the clock of this machine, or freeze the clock of the site with --now',
  };
}

/** Zones that a complete set of data has. */
const PROBED = ['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Pacific/Kiritimati'];

const isKnown = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** @param data the zone data of the options */
export function inspectZones(zone: string | undefined, data: string | undefined): Finding {
  const check = 'time zones';
  const unknown = PROBED.filter((name) => !isKnown(name));
  const { icu = 'none', tz = 'unknown' } = process.versions;
  if (unknown.length > 0)
    return {
      check,
      status: 'problem',
      message: `This Node.js (ICU ${icu}) does not know the time zone ${unknown[0]}.`,
      advice: 'Install a Node.js with full ICU data, or set NODE_ICU_DATA',
    };
  if (zone !== undefined && zone !== '' && !isKnown(zone.replace(/^:/, '')))
    return {
      check,
      status: 'warning',
      message: `The variable TZ names no time zone: ${JSON.stringify(zone)}.`,
      advice: 'Unset TZ, or set a name such as Europe/Berlin',
    };
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    check,
    status: 'ok',
    message: `Time zone data ${zonesOf(data ?? null).release}; ICU ${icu} with ${tz}; this machine is in ${local}.`,
  };
}

/** Which engines this machine can run. Whether they start is another question. */
export function inspectEngines(embedded: boolean, mongod: string | undefined): Finding[] {
  const machine = thisMachine();
  const libc =
    machine.platform !== 'linux' ? '' : `, ${machine.glibc === undefined ? 'another C library than glibc' : `glibc ${machine.glibc}`}`;
  const why = embedded ? (unsupported(machine) ?? missingPackage()) : 'it is disabled (--no-embedded)';
  const installed = mongod ?? INSTALLED_MONGOD.find((file) => existsSync(file));
  return [
    why === undefined
      ? {
          check: 'embedded engine',
          status: 'ok',
          message: `The embedded engine supports this machine (${machine.platform} ${machine.arch}${libc}).`,
        }
      : {
          check: 'embedded engine',
          status: installed === undefined && embedded ? 'warning' : 'ok',
          message: `The embedded engine is not used: ${why}.`,
          advice: 'A mongod is used instead',
        },
    installed !== undefined && existsSync(installed)
      ? { check: 'mongod', status: 'ok', message: `mongod is installed: ${installed}. It is used if the embedded engine cannot start.` }
      : {
          check: 'mongod',
          status: mongod === undefined ? 'ok' : 'problem',
          message:
            mongod === undefined
              ? 'No mongod is installed. mongodb-memory-server would download one if the embedded engine cannot start.'
              : `${mongod} does not exist.`,
          ...(mongod === undefined ? {} : { advice: 'Correct --mongod' }),
        },
  ];
}

function missingPackage(): string | undefined {
  try {
    findPackage(thisMachine());
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export const inspectMachine = ({ zones }: Pick<ServerOptions, 'zones'>): Finding[] => [
  inspectNode(process.versions.node),
  inspectClock(realTime()),
  inspectZones(environmentVariable('TZ'), zones),
];
