import { DEMO_DATASET, OPTIONS } from './options.js';
import type { Option } from './server-options.js';

/** Formats a table of options for `--help`. */
export function optionHelp(table: readonly Option<string>[] = OPTIONS): string {
  const left = table.map(({ flag, value }) => `--${flag}${value ? ` ${value}` : ''}`);
  const width = Math.max(...left.map(({ length }) => length));
  return table
    .map(({ help, env, default: fallback, value }, i) => {
      const isShown = value && fallback !== undefined && !Array.isArray(fallback) && fallback !== DEMO_DATASET;
      const shown = isShown ? ` (default: ${String(fallback)})` : '';
      return `  ${left[i].padEnd(width)}  ${help}${shown}${env === undefined ? '' : ` [${env}]`}`;
    })
    .join('\n');
}
