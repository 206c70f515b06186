import path from 'node:path';
import * as yup from 'yup';
import { ConfigError, STORE_OPTIONS, optionHelp, type Option } from '../config/index.js';
import { readDate } from '../content/dates.js';
import type { Pulled } from '../content/live/pull/pull.js';
import { Clock } from '../wp/clock.js';
import { wallAt, zoneOf } from '../wp/timezones.js';
import type { Command } from './command.js';
import { DELIVERY_OPTIONS, deliver, readDelivery } from './deliver.js';
import { clientOptions, defaultsOf, liveSiteOptions, siteAddress, type LiveSiteOptions } from './live-site.js';

interface PullFlags extends LiveSiteOptions {
  files: boolean;
  since?: string;
  fresh?: boolean;
  state?: string;
}

const text = () => yup.string().strict().min(1);

const FLAGS: readonly Option<keyof PullFlags>[] = [
  ...liveSiteOptions(5),
  {
    name: 'since',
    flag: 'since',
    value: 'DATE',
    help: 'Ask for single items only when they were changed at this date or later',
    schema: text(),
  },
  { name: 'files', flag: 'no-files', help: 'Leave the files of images where they are', schema: yup.boolean(), default: true, sets: false },
  {
    name: 'state',
    flag: 'state',
    value: 'DIR',
    help: 'Folder for what has come so far (default: pull in the data folder)',
    schema: text(),
  },
  { name: 'fresh', flag: 'fresh', help: 'Begin anew, whatever an earlier run has left', schema: yup.boolean(), sets: true },
];

const pullHelp = (): string => `Usage: understudy pull URL [options]

Copies a live WordPress site with The Events Calendar through its public REST API: events, venues, organizers, categories, tags, and the
images that are shown with them. The copy takes the place of what the site here holds; ids stay, texts are shown as they were, and links to
the live site become links to this one. Only what the site shows is copied: sign in for drafts and private items. Nothing is changed there.

What has come lies in a folder until all is stored: after Ctrl-C the same command goes on where it was.

With --since, lists are read as always (the copy is complete, and what was deleted there is gone here), but single items that are older are
not asked for one by one; their structured data is made here.

Options:
${optionHelp([...FLAGS, ...DELIVERY_OPTIONS])}

Where the site is [environment variable]:
${optionHelp(STORE_OPTIONS)}

Examples:
  understudy pull https://example.org
  understudy pull https://example.org -o copy.ndjson --no-files --rate 2
  WP_PASSWORD='abcd efgh ijkl' understudy pull https://example.org --login editor --password-env WP_PASSWORD`;

/** A moment in UTC, `YYYY-MM-DD HH:MM:SS`. @throws ConfigError */
function sinceOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const date = readDate(given, { now: new Clock().seconds(), zone: 'UTC' });
  if (!date) throw new ConfigError(`--since: ${JSON.stringify(given)} is no date, such as 2026-06-01 or -7d`);
  return wallAt(date.epoch, zoneOf('UTC'));
}

export const pullSite: Command = {
  help: pullHelp,
  run: async (args) => {
    const call = readDelivery<PullFlags>(args, FLAGS, defaultsOf(FLAGS));
    const { flags, operands, options } = call;
    const url = siteAddress(operands, 'pull');
    const since = sinceOf(flags.since);
    const state = path.resolve(flags.state ?? path.join(options.data, 'pull'));
    const { pull } = await import('../content/live/pull/pull.js');
    let pulled: Pulled | undefined;
    await deliver(
      call,
      async ({ signal, tell, progress, cleanup }) => {
        const client = clientOptions(flags, { signal, tell });
        pulled = await pull({
          url,
          state,
          since,
          files: flags.files,
          fresh: flags.fresh === true,
          client,
          tell,
          progress: (what, done, total) => progress.at(what, done, total),
        });
        const { close, source } = pulled;
        cleanup.add(close);
        return source;
      },
      async () => {
        const notes = pulled?.notes() ?? [];
        await pulled?.forget();
        return notes;
      },
    );
  },
};
