import { UTC } from '../../base/php/timezone.js';
import { newestZones } from '../../base/php/zone-data.js';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as yup from 'yup';
import { ConfigError, STORE_OPTIONS, type Option } from '../../server/config/index.js';
import { readDatasetDate, readDuration } from '../../transfer/dates.js';
import { CONTENTS } from '../../plugins/register.js';
import { COSTS, GENERATE_DEFAULTS, generate, unknownZones, type CostKind, type GenerateOptions } from '../../transfer/generate/index.js';
import { ZONES } from '../../transfer/generate/places.js';
import { Clock } from '../../wordpress/clock.js';
import { wallAt } from '../../wordpress/timezones.js';
import { utc } from '../../wordpress/utc.js';
import { switchOption, valueOption, defaultsOf, type Command, helpOf, section } from './command.js';
import { DESTINATION_OPTIONS, writeOrLoad, noOperands, readDestination } from './destination.js';

interface GenerateFlags extends Omit<GenerateOptions, 'zones' | 'cost' | 'from' | 'to' | 'shares'> {
  from: string;
  to?: string;
  span?: string;
  zones?: string;
  cost?: string;
  load?: boolean;
}

const count = (most: number) => yup.number().typeError('${path} must be a number').integer().min(0).max(most);
const PERCENT = /^(\d+(?:\.\d+)?)%$/;
/** A share such as 0.3 or 30%. */
const share = () =>
  yup
    .number()
    .transform((value: number, given: unknown) => {
      const [, percent] = PERCENT.exec(String(given)) ?? [];
      return percent === undefined ? value : Number(percent) / 100;
    })
    .typeError('${path} must be a number between 0 and 1, or a percentage')
    .min(0)
    .max(1);

const { events, seed, from, allDay, multiDay, featured, hidden, drafts, venues, organizers, images, zones, cost } = GENERATE_DEFAULTS;

const weights = (entries: readonly (readonly [string, number])[]): string => entries.map(([name, weight]) => `${name}=${weight}`).join(',');

const FLAGS: readonly Option<keyof GenerateFlags>[] = [
  valueOption('events', 'N', 'Number of events', { schema: count(10_000_000), default: events }),
  valueOption('seed', 'TEXT', 'Random seed: the same seed and options produce the same content', { default: seed }),
  valueOption('from', 'DATE', 'First day, such as 2027-01-01 or today', { default: from }),
  valueOption('to', 'DATE', 'Last day on which events start'),
  valueOption('span', 'TIME', 'Length of the period, instead of --to (default: 365d)'),
  valueOption('zones', 'ZONE=W,…', `Time zones by weight; the first is the site's (default: ${weights(zones)})`),
  valueOption('cost', 'KIND=W,…', `Kinds of cost by weight (default: ${weights(cost)})`),
  valueOption('allDay', 'SHARE', 'Share of all-day events', { schema: share(), default: allDay }),
  valueOption('multiDay', 'SHARE', 'Share of events that last several days', { schema: share(), default: multiDay }),
  valueOption('featured', 'SHARE', 'Share of featured events', { schema: share(), default: featured }),
  valueOption('hidden', 'SHARE', 'Share of events hidden from lists', { schema: share(), default: hidden }),
  valueOption('drafts', 'SHARE', 'Share of drafts', { schema: share(), default: drafts }),
  ...CONTENTS.flatMap(({ name, share: help }) =>
    help === undefined ? [] : [{ name: name as 'drafts', flag: name, value: 'SHARE', help, schema: share(), default: 0 }],
  ),
  valueOption('venues', 'N', 'Number of venues in each town', { schema: count(1000), default: venues }),
  valueOption('organizers', 'N', 'Number of organizers in each town', { schema: count(1000), default: organizers }),
  valueOption('images', 'N', 'Number of images to generate', { schema: count(10_000), default: images }),
  switchOption('load', "Replace the site's content with the result"),
];

const generateHelp = (): string =>
  helpOf(
    'generate',
    section('Options', [...FLAGS, ...DESTINATION_OPTIONS]),
    `Zones: ${ZONES.join(', ')}`,
    `Costs: ${COSTS.join(', ')}`,
    section('Site [environment variable]', STORE_OPTIONS),
  );

/** Parses `name=weight,…`; the default weight is 1. @throws ConfigError */
function readWeights<T extends string>(given: string, flag: string, known: readonly T[]): [T, number][] {
  const entries = given.split(',').map((part): [T, number] => {
    const [name, weight = '1'] = part.split('=').map((piece) => piece.trim());
    const found = known.find((each) => each.toLowerCase() === name.toLowerCase());
    if (found === undefined) throw new ConfigError(`${flag}: unknown value ${JSON.stringify(name)}. Use ${known.join(', ')}`);
    if (!/^\d+(?:\.\d+)?$/.test(weight))
      throw new ConfigError(`${flag}: the weight of ${name} must be a number, not ${JSON.stringify(weight)}`);
    return [found, Number(weight)];
  });
  if (entries.every(([, weight]) => weight === 0)) throw new ConfigError(`${flag}: at least one weight must be greater than 0`);
  return entries;
}

/** Parses a date. @returns `YYYY-MM-DD` @throws ConfigError */
function readDay(given: string, flag: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))) return given;
  const date = readDatasetDate(given, { now: new Clock().seconds(), zone: 'UTC', zones: newestZones() });
  if (!date) throw new ConfigError(`${flag}: invalid date ${JSON.stringify(given)}. Use a date such as 2027-01-01 or today`);
  return wallAt(date.epoch, UTC).slice(0, 10);
}

const DAY = 86_400;

function lastDay({ from: first, to, span }: GenerateFlags): string {
  if (to !== undefined && span !== undefined) throw new ConfigError('--to and --span cannot be combined');
  const start = readDay(first, '--from');
  if (to !== undefined) {
    const last = readDay(to, '--to');
    if (last < start) throw new ConfigError(`--to: ${last} is before ${start}`);
    return last;
  }
  const seconds = readDuration(span ?? '365d');
  if (seconds === null || seconds < DAY)
    throw new ConfigError(`--span: invalid duration ${JSON.stringify(span)}. Use a duration such as 90d or 8w`);
  return utc(`${start}T00:00:00Z`)
    .add(Math.floor(seconds / DAY) - 1, 'day')
    .format('YYYY-MM-DD');
}

/** Completes and validates the flags. @throws ConfigError */
function optionsOf(flags: GenerateFlags): GenerateOptions {
  const { zones: givenZones, cost: givenCost, to: _to, span: _span, load: _load, ...rest } = flags;
  const chosen = givenZones === undefined ? zones : readWeights(givenZones, '--zones', ZONES);
  const [unknown] = unknownZones({ zones: chosen });
  if (unknown !== undefined) throw new ConfigError(`--zones: no towns are known in ${unknown}`);
  return {
    ...rest,
    shares: Object.fromEntries(CONTENTS.map(({ name }) => [name, flags[name as 'drafts'] ?? 0])),
    from: readDay(flags.from, '--from'),
    to: lastDay(flags),
    zones: chosen,
    cost: givenCost === undefined ? cost : readWeights<CostKind>(givenCost, '--cost', COSTS),
  };
}

export const generateContent: Command = {
  help: generateHelp,
  options: [...FLAGS, ...DESTINATION_OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const call = await readDestination<GenerateFlags>(args, FLAGS, defaultsOf(FLAGS));
    noOperands(call, 'generate');
    const { flags } = call;
    if (flags.load && flags.output !== undefined) throw new ConfigError('--load and --output cannot be combined');
    const options = optionsOf(flags);
    if (!flags.load) flags.output ??= '-';
    await writeOrLoad(call, async ({ cleanup }) => {
      if (options.images === 0) return generate(options, null);
      const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-images-'));
      cleanup.add(() => rm(folder, { recursive: true, force: true }));
      return generate(options, folder);
    });
  },
};
