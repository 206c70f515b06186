/** The type of the options of a server, made from the rows of their table. */

const TYPES = { integer: 'number', number: 'number' };

const HEAD = `import type { LogFormat, LogLevel } from '../../base/system/log-levels.js';
import type { Dataset } from '../../sdk/types/dataset.js';
import type { FaultScenario, SettingsToSet } from '../../sdk/types/qa.js';
import type { Profile } from '../../wordpress/quirks.js';
/** All options, whether set by flag, by environment variable or in code. Written by \`scripts/table-types.mjs\` from the table of options. */
export interface ServerOptions {
`;

function typeOf({ sets, type = 'string', choices, default: fallback }) {
  if (sets !== undefined) return 'boolean';
  if (choices) return choices.map((choice) => `'${choice}'`).join(' | ');
  return Array.isArray(fallback) ? 'string[]' : (TYPES[type] ?? type);
}

/** Names of options that are always set, although their row has no default. */
const hasDefault = ({ name, sets, default: fallback }) => sets !== undefined || fallback !== undefined || name === 'dataset';

/** The text of `server/config/server-options.d.ts`. @param rows those of `options.json` */
export const optionTypes = (rows) =>
  `${HEAD}${rows
    .map((row) => `${row.about ? `    /** ${row.about} */\n` : ''}    ${row.name}${hasDefault(row) ? '' : '?'}: ${typeOf(row)};\n`)
    .join('')}}\n`;
