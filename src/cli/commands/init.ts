import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as yup from 'yup';
import { ConfigError, readArguments, type Option } from '../../server/config/index.js';
import { configFilesIn } from '../../base/system/config-files.js';
import { Clock } from '../../wordpress/clock.js';
import { switchOption, valueOption, CommandError, print, runnerCommand, type Command, helpOf, section } from './command.js';
import { CONFIG_KINDS, configText, datasetText, type ConfigKind } from './init-files.js';
import { readJson } from '../../base/system/files.js';

interface InitFlags {
  config?: ConfigKind;
  dataset?: string;
  force?: boolean;
}

const DATASET = 'calendar.json';

const OPTIONS: readonly Option<keyof InitFlags>[] = [
  valueOption(
    'config',
    'KIND',
    `Kind of the configuration file: ${CONFIG_KINDS.join(', ')} (default: ts with a tsconfig.json, js or mjs in other packages, else json)`,
    { schema: yup.string().oneOf(CONFIG_KINDS) },
  ),
  valueOption('dataset', 'FILE', 'Dataset to write, .json or .yaml', {
    schema: yup
      .string()
      .strict()
      .matches(/\.(?:json|ya?ml)$/i, '${path} must end with .json or .yaml'),
    default: DATASET,
  }),
  switchOption('force', 'Replace files that exist'),
];

interface PackageFile {
  type?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The package.json of a folder; undefined if there is none. */
function packageFileOf(folder: string): PackageFile | undefined {
  try {
    return readJson(path.join(folder, 'package.json'));
  } catch {
    return undefined;
  }
}

function kindFor(folder: string): ConfigKind {
  const packageFile = packageFileOf(folder);
  if (existsSync(path.join(folder, 'tsconfig.json'))) return 'ts';
  if (!packageFile) return 'json';
  return packageFile.type === 'module' ? 'js' : 'mjs';
}

/** The folder of the installed package, as seen from a folder: an enclosing workspace may have it. */
function packageFrom(folder: string): { path: string; isInstalled: boolean } {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = path.join(at, 'node_modules', 'wp-understudy');
    if (existsSync(found)) return { path: found, isInstalled: true };
    if (at === path.dirname(at)) return { path: path.join(folder, 'node_modules', 'wp-understudy'), isInstalled: false };
  }
}

/** A path to write into a file of a folder: relative, with slashes. */
const relativeTo = (folder: string, file: string): string => {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return relative.startsWith('.') ? relative : `./${relative}`;
};

const shown = (file: string): string => path.relative(process.cwd(), file) || '.';

/** The configuration file to write. @throws CommandError if there is one of another kind */
function configFileFor(folder: string, { config, force }: InitFlags): { file: string; kind: ConfigKind } {
  const kind = config ?? kindFor(folder);
  const file = path.join(folder, `understudy.config.${kind}`);
  const other = existsSync(folder) ? configFilesIn(folder).find((each) => each !== file) : undefined;
  if (other !== undefined && force) throw new CommandError(`${shown(other)} exists as well. Remove it, or set its kind with --config`);
  if (other !== undefined) throw new CommandError(`${shown(other)} already exists: nothing was written`);
  return { file, kind };
}

/** Writes files, or none if one of them exists. */
async function writeNew(files: readonly { file: string; text: string }[], force: boolean): Promise<void> {
  const present = force ? [] : files.filter(({ file }) => existsSync(file));
  if (present.length > 0) {
    const names = present.map(({ file }) => shown(file)).join(' and ');
    throw new CommandError(`${names} already exist${present.length === 1 ? 's' : ''}: nothing was written. Use --force to replace`);
  }
  for (const { file, text } of files) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Test runners that have a helper, by their packages. */
const HELPERS: readonly (readonly [runner: string, helper: string])[] = [
  ['vitest', 'vitest'],
  ['jest', 'jest'],
  ['@playwright/test', 'playwright'],
];

const helperFor = ({ dependencies, devDependencies }: PackageFile = {}): string =>
  HELPERS.find(([runner]) => Object.hasOwn({ ...dependencies, ...devDependencies }, runner))?.[1] ?? 'node';

function announce(folder: string, dataset: string, isInstalled: boolean): void {
  const helper = helperFor(packageFileOf(folder));
  const run = runnerCommand();
  const commands = [
    ...(isInstalled ? [] : [['npm install --save-dev wp-understudy', 'install it for your tests']]),
    [`${run} serve --watch`, 'serve the dataset, and reload it when it changes'],
    [`${run} validate ${dataset}`, 'check the dataset'],
  ];
  const width = Math.max(...commands.map(([command]) => command.length));
  print('');
  print('Next:');
  if (folder !== process.cwd()) print(`  cd ${shown(folder)}`);
  for (const [command, what] of commands) print(`  ${command.padEnd(width)}  ${what}`);
  const name = helper === 'playwright' ? 'withUnderstudy' : 'useUnderstudy';
  print('');
  print(`In tests: import { ${name} } from 'wp-understudy/${helper}'`);
}

export const init: Command = {
  help: () => helpOf('init', section('Options', OPTIONS)),
  options: OPTIONS,
  operand: { value: 'DIR', schema: yup.string() },
  run: async (args) => {
    const { given, operands } = readArguments(args, OPTIONS);
    if (operands.length > 1) throw new ConfigError(`Unexpected argument ${operands[1]}. Usage: understudy init [FOLDER] [options]`);
    const flags = given as InitFlags;
    const folder = path.resolve(operands[0] ?? '.');
    const name = flags.dataset ?? DATASET;
    const config = configFileFor(folder, flags);
    const dataset = path.resolve(folder, name);
    const installed = packageFrom(folder);
    const now = `${new Date(new Clock().now()).toISOString().slice(0, 10)}T12:00:00Z`;
    const starter = { dataset: relativeTo(folder, dataset), now, package: relativeTo(folder, installed.path) };
    const schema = `${relativeTo(path.dirname(dataset), installed.path)}/fixtures/dataset.schema.json`;
    const files = [
      { file: config.file, text: configText(config.kind, starter) },
      { file: dataset, text: datasetText(dataset, schema) },
    ];
    await writeNew(files, flags.force === true);
    print(`Wrote ${files.map(({ file }) => shown(file)).join(' and ')}.`);
    announce(folder, path.relative(folder, dataset), installed.isInstalled);
  },
};
