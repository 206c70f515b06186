import * as yup from 'yup';
import { isZoneFolder } from '../../base/php/zone-data.js';
import { INCLUDED_DATASETS } from '../../base/system/included-datasets.js';
import { LOG_FORMATS, LOG_LEVELS } from '../../base/system/log-levels.js';
import { interpolate, LANGUAGES } from '../../base/locales/index.js';
import { CALENDAR, LATEST_VERSION, OLDEST_VERSION } from '../../plugins/the-events-calendar/quirks/version.js';
import { PROFILES, WORDPRESS, WORDPRESS_LINES } from '../../wordpress/quirks.js';
import table from './options.json' with { type: 'json' };
import * as schemas from './schemas.js';
import type { ServerOptions } from './server-options.js';
import { messageOf } from '../../base/values/errors.js';
import { ConfigError } from './config-error.js';

export { DEMO_DATASET } from './schemas.js';

/** One command-line option. */
export interface Option<Name extends string = keyof ServerOptions> {
  name: Name;
  flag: string;
  env?: string;
  /** Placeholder of the value; absent for a switch. */
  value?: string;
  help: string;
  schema: yup.Schema;
  /** Separates the values of an option that accepts several. */
  separator?: RegExp;
  default?: string | number | boolean | readonly string[];
  /** For a switch: the value it sets. */
  sets?: boolean;
  /** Whether the value is a path, which in a configuration file is relative to that file. */
  isPath?: boolean | ((value: string) => boolean);
}

type OptionName = keyof ServerOptions;

/** A row of `options.json`. Its `about` and `type` are for `ServerOptions`, which the build makes of the rows. */
interface Row extends Pick<Option, 'name' | 'value' | 'help' | 'sets' | 'default'> {
  /** Default: the name with dashes; `no-` before it if the switch turns something off. */
  flag?: string;
  /** Default: the name in capitals after `UNDERSTUDY_`. */
  env?: string;
  isPath?: boolean;
  /** Pattern. Default, for a list: white space and commas. */
  separator?: string;
  /** Bounds: of a number (`moreThan` excludes it), or of the length of a text. */
  min?: number;
  moreThan?: number;
  max?: number;
  choices?: readonly string[];
  /** Pattern of a text, or of each text in a list, and the message for others. */
  pattern?: string;
  problem?: string;
  type?: string;
}

/** Placeholders in the help. */
const IN_HELP = {
  datasets: INCLUDED_DATASETS.join(', '),
  releases: WORDPRESS_LINES.toReversed().join(', '),
  newest: WORDPRESS_LINES[0],
  oldestTec: OLDEST_VERSION,
  newestTec: LATEST_VERSION,
  languages: LANGUAGES.join(', '),
  logLevels: LOG_LEVELS.join(', '),
};

/** Members of options that a row cannot have. */
const OWN: { readonly [Name in OptionName]?: Partial<Option> } = {
  config: { schema: schemas.configFile },
  url: { schema: schemas.siteUrl },
  proxy: { schema: schemas.proxiedUrl },
  plugins: { schema: yup.array().of(schemas.pluginName) },
  dataset: { schema: schemas.dataset, default: schemas.DEMO_DATASET },
  now: { schema: schemas.dateTime },
  profile: { schema: yup.string().oneOf(PROFILES) },
  wordpress: { schema: schemas.release(WORDPRESS.name) },
  tecVersion: { schema: schemas.release(CALENDAR) },
  zones: { schema: schemas.zones, isPath: isZoneFolder },
  quirks: { schema: yup.array().of(schemas.quirk) },
  language: { schema: schemas.language },
  settings: { schema: schemas.settings },
  scenarios: { schema: schemas.scenarios },
  webhooks: { schema: yup.array().of(schemas.webhookUrl) },
  logLevel: { schema: yup.string().oneOf(LOG_LEVELS) },
  logFormat: { schema: yup.string().oneOf(LOG_FORMATS) },
};

function numberSchema({ type, min, moreThan, max }: Row): yup.Schema {
  let schema = schemas.number();
  if (type === 'integer') schema = schema.integer();
  if (moreThan !== undefined) schema = schema.moreThan(moreThan);
  if (min !== undefined) schema = schema.min(min);
  return max === undefined ? schema : schema.max(max);
}

function schemaOf(row: Row): yup.Schema {
  const { sets, type = '', choices, pattern, problem, min = 1 } = row;
  if (sets !== undefined) return yup.boolean();
  if (['number', 'integer'].includes(type)) return numberSchema(row);
  if (choices) return yup.string().oneOf(choices);
  const text = pattern === undefined ? schemas.textSchema().min(min) : schemas.textSchema().matches(new RegExp(pattern), problem);
  return Array.isArray(row.default) ? yup.array().of(text) : text;
}

function optionOf(row: Row): Option {
  const { name, sets, separator, value, default: fallback, isPath } = row;
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    name,
    flag: row.flag ?? (sets === false ? `no-${flag}` : flag),
    env: row.env ?? `UNDERSTUDY_${flag.replaceAll('-', '_').toUpperCase()}`,
    ...(value === undefined ? {} : { value }),
    help: interpolate(row.help, IN_HELP),
    schema: OWN[name]?.schema ?? schemaOf(row),
    ...(Array.isArray(fallback) ? { separator: new RegExp(separator ?? String.raw`[\s,]+`) } : {}),
    ...(sets === undefined ? {} : { default: !sets, sets }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(isPath === undefined ? {} : { isPath }),
    ...OWN[name],
  };
}

/** All options. Flags, environment variables, defaults, validation, help and the published type are derived from `options.json`. */
export const OPTIONS: readonly Option[] = (table.options as readonly Row[]).map(optionOf);

/** The headings of `--help` and their options. An option that is missing here is listed under the last heading. */
export const GROUPS: Readonly<Record<keyof typeof table.groups, readonly string[]>> = table.groups;

/** The options of the proxy. `understudy proxy` takes them without the prefix. */
export const PROXY_OPTIONS: readonly Option[] = OPTIONS.filter(({ name }) => GROUPS.Proxy.includes(name));

export const STORE_OPTIONS: readonly Option[] = OPTIONS.filter(({ name }) =>
  ['config', 'data', 'mongodbUri', 'embedded', 'engineMemory', 'cacheDir', 'userCacheDir', 'mongod'].includes(name),
);

const WORDS: Record<string, boolean> = { '1': true, true: true, yes: true, on: true, '0': false, false: false, no: false, off: false };

/**
 * Validates and converts a value.
 * @param source name of the value in messages
 * @param place what messages begin with
 * @throws ConfigError
 * @internal
 */
export function checked(option: Option<string>, value: unknown, source: string, place = ''): unknown {
  try {
    return option.schema.label(source).validateSync(value);
  } catch (error) {
    throw new ConfigError(`${place}${messageOf(error)}`);
  }
}

function fromText(option: Option<string>, text: string, source: string): unknown {
  if (option.separator) return text.split(option.separator).filter((part) => part.trim() !== '');
  if (option.value) return text;
  const word = text.toLowerCase();
  if (!Object.hasOwn(WORDS, word)) throw new ConfigError(`${source}: invalid value ${JSON.stringify(text)}. Use yes or no`);
  return WORDS[word];
}

/** Parses and validates the text of a flag or environment variable. @throws ConfigError @internal */
export const readValue = (option: Option<string>, text: string, source: string): unknown =>
  checked(option, fromText(option, text, source), source);
