import { ONLY_OPTION, partsNamed } from './content.js';
import { restricted } from '../../transfer/restrict.js';
import path from 'node:path';
import { ConfigError, STORE_OPTIONS, type Option, type ServerOptions } from '../../server/config/index.js';
import { UTC } from '../../base/php/timezone.js';
import { newestZones } from '../../base/php/zone-data.js';
import { readDatasetDate } from '../../transfer/dates.js';
import type { Pulled } from '../../transfer/live/pull/pull.js';
import { Clock } from '../../wordpress/clock.js';
import { wallAt } from '../../wordpress/timezones.js';
import { switchOption, valueOption, CommandError, type Command, helpOf, section } from './command.js';
import { DESTINATION_OPTIONS, writeOrLoad, readDestination } from './destination.js';
import { serverFor, type SiteAddress } from './site/server-api.js';
import { clientOptions, defaultsOf, liveSiteOptions, siteAddress, type LiveSiteOptions } from './command.js';
import dns from 'node:dns/promises';
import os from 'node:os';
import { hostName, isAnyAddress, isLoopback } from '../../base/text/hosts.js';

/** Stands for all addresses of this machine. */
const HERE = 'this machine';

const isOwn = (address: string): boolean =>
  isLoopback(address) ||
  isAnyAddress(address) ||
  Object.values(os.networkInterfaces()).some((each) => each?.some((own) => own.address === address));

/** The addresses of a host. One whose name is unknown is its own. */
async function addressesOf(url: URL): Promise<string[]> {
  const host = hostName(url.host) ?? url.hostname;
  if (isOwn(host)) return [HERE];
  const found = await dns.lookup(host, { all: true }).catch(() => []);
  return [host, ...found.map(({ address }) => (isOwn(address) ? HERE : address))];
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** Whether two URLs lead to one server, however its host is spelled: names of sandboxes, of this machine, and its addresses. */
export async function isSameServer(one: string, other: string): Promise<boolean> {
  const urls = [new URL(one), new URL(other)];
  if (portOf(urls[0]) !== portOf(urls[1])) return false;
  const [mine, theirs] = await Promise.all(urls.map(addressesOf));
  return mine.some((address) => theirs.includes(address));
}

interface PullFlags extends LiveSiteOptions {
  files: boolean;
  since?: string;
  fresh?: boolean;
  state?: string;
  keepEmails?: boolean;
  only?: string;
}

const FLAGS: readonly Option<keyof PullFlags>[] = [
  ...liveSiteOptions(5),
  valueOption('since', 'DATE', 'Request single items only if they changed on or after this date'),
  switchOption('files', 'Do not download the files of the media library', { flag: 'no-files', sets: false, default: true }),
  valueOption('state', 'DIR', 'Folder for saved progress (default: pull in the data folder)'),
  switchOption('keepEmails', 'Keep names and email addresses of attendees, which are replaced otherwise'),
  ONLY_OPTION,
  switchOption('fresh', 'Ignore saved progress'),
];

const pullHelp = (): string =>
  helpOf('pull', section('Options', [...FLAGS, ...DESTINATION_OPTIONS]), section('Site [environment variable]', STORE_OPTIONS));

/** @throws CommandError if the site is on the server whose content the copy would replace: only what is public would be left of it */
async function requireOther(
  url: string,
  { flags, options }: { flags: SiteAddress & { output?: string }; options: ServerOptions },
): Promise<void> {
  const server = flags.output === undefined ? await serverFor(options, flags) : null;
  if (server && (await isSameServer(url, server.url)))
    throw new CommandError(
      `${url} is on the server that the copy would replace the content of (${server.url}): its drafts, passwords and users would be lost. Write the copy to a file with -o, or copy the site as a whole with understudy backup`,
    );
}

/** Parses `--since`. @returns UTC, `YYYY-MM-DD HH:MM:SS` @throws ConfigError */
function sinceOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const date = readDatasetDate(given, { now: new Clock().seconds(), zone: 'UTC', zones: newestZones() });
  if (!date) throw new ConfigError(`--since: invalid date ${JSON.stringify(given)}. Use a date such as 2026-06-01 or -7d`);
  return wallAt(date.epoch, UTC);
}

export const pullSite: Command = {
  help: pullHelp,
  options: [...FLAGS, ...DESTINATION_OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const call = await readDestination<PullFlags>(args, FLAGS, defaultsOf(FLAGS));
    const { flags, operands, options } = call;
    const url = siteAddress(operands, 'pull');
    const since = sinceOf(flags.since);
    const only = partsNamed(flags.only);
    const state = path.resolve(flags.state ?? path.join(options.data, 'pull'));
    await requireOther(url, call);
    const { pull } = await import('../../transfer/live/pull/pull.js');
    let pulled: Pulled | undefined;
    await writeOrLoad(
      call,
      async ({ signal, progress, cleanup }) => {
        const { notify } = progress;
        const client = clientOptions(flags, { signal, notify });
        pulled = await pull({
          url,
          state,
          since,
          files: flags.files,
          fresh: flags.fresh === true,
          keepsPeople: flags.keepEmails === true,
          client,
          notify,
          progress: (what, done, total) => progress.at(what, done, total),
        });
        const { close, source } = pulled;
        cleanup.add(close);
        return only ? restricted(source, only) : source;
      },
      async () => {
        const notes = pulled?.notes() ?? [];
        await pulled?.deleteProgress();
        return notes;
      },
    );
  },
};
