// The table of options in README.md, from the one in src/config.ts. Run after a build: node scripts/readme-options.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MARKED = /(<!-- options: [^\n]*-->\n)[\s\S]*?(<!-- end of options -->)/;

const fallbackOf = (option) => {
  if (!option.value || option.default === undefined || Array.isArray(option.default)) return '';
  return path.isAbsolute(String(option.default)) ? '' : `\`${option.default}\``;
};

/** One row per option: flag, environment variable, meaning, default. Columns are padded as prettier does it. */
export function optionsTable(options) {
  const rows = [
    ['Flag', 'Variable', 'Meaning', 'Default'],
    ...options.map((option) => [
      `\`--${option.flag}${option.value ? ` ${option.value}` : ''}\``,
      `\`${option.env}\``,
      option.help,
      fallbackOf(option),
    ]),
  ];
  // A bar would end the cell.
  for (const row of rows) row.forEach((cell, column) => (row[column] = cell.replaceAll('|', '\\|')));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const [head, ...body] = rows.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column]))));
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

/** What stands between the marks of a README, and the README with something else there. */
export const tableIn = (readme) =>
  MARKED.exec(readme)?.[0]
    .split('\n')
    .filter((text) => text.startsWith('|'))
    .join('\n');
export const withTable = (readme, table) => readme.replace(MARKED, (_, start, end) => `${start}\n${table}\n\n${end}`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { OPTIONS } = await import('../dist/config.js');
  const file = fileURLToPath(new URL('../README.md', import.meta.url));
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), optionsTable(OPTIONS)));
}
