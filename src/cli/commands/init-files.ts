import { stringify } from 'yaml';
import SAMPLE from '../init-dataset.json' with { type: 'json' };
import type { Config } from '../../server/config/define-config.js';

/** The files that `understudy init` writes. */

export const CONFIG_KINDS = ['ts', 'js', 'mjs', 'cjs', 'json'] as const;
export type ConfigKind = (typeof CONFIG_KINDS)[number];

/** Contents of a configuration file. */
export interface Starter {
  /** Path of the dataset, relative to the file. */
  dataset: string;
  /** ISO 8601. */
  now: string;
  /** Path of the installed package, relative to the file, with slashes. */
  package: string;
}

/** Each option with what it is for. */
const optionsOf = ({ dataset, now }: Starter): { name: keyof Config; value: string | number | boolean; why: string }[] => [
  { name: 'dataset', value: dataset, why: 'JSON, YAML, CSV, iCalendar or a WordPress export.' },
  {
    name: 'now',
    value: now,
    why: 'The clock is frozen here, and relative dates of the dataset start from it. Remove it for the real time.',
  },
  { name: 'profile', value: 'standard', why: 'standard: as documented, with safe defaults. tec: exactly like The Events Calendar.' },
  {
    name: 'ephemeral',
    value: true,
    why: 'Every start loads the dataset, and nothing is kept. Without it, changes are kept in the folder data.',
  },
];

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : String(value));

function moduleText(kind: ConfigKind, starter: Starter): string {
  const lines = optionsOf(starter).flatMap(({ name, value, why }) => [`  // ${why}`, `  ${name}: ${literal(value)},`]);
  const object = ['{', ...lines, '}'].join('\n');
  const about = '// Options for the understudy command and for its test helpers; all of them: understudy serve --help';
  // Types only: the file also works where the package is not installed, as with npx.
  if (kind === 'ts') return `import type { Config } from 'wp-understudy/config';\n\n${about}\nexport default ${object} satisfies Config;\n`;
  const start = kind === 'cjs' ? 'module.exports =' : 'export default';
  return `${about}\n/** @type {import('wp-understudy/config').Config} */\n${start} ${object};\n`;
}

function jsonText(starter: Starter): string {
  const options = Object.fromEntries(optionsOf(starter).map(({ name, value }) => [name, value]));
  return `${JSON.stringify({ $schema: `${starter.package}/fixtures/config.schema.json`, ...options }, null, 2)}\n`;
}

export const configText = (kind: ConfigKind, starter: Starter): string => (kind === 'json' ? jsonText(starter) : moduleText(kind, starter));

const isYaml = (file: string): boolean => /\.ya?ml$/i.test(file);

/** The text of a starter dataset. @param schema path of its schema, relative to the file */
export const datasetText = (file: string, schema: string): string =>
  isYaml(file)
    ? `# yaml-language-server: $schema=${schema}\n${stringify(SAMPLE, { lineWidth: 120 })}`
    : `${JSON.stringify({ $schema: schema, ...SAMPLE }, null, 2)}\n`;
