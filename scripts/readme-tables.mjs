// The tables that come from the code: options in docs/options.md, quirks in docs/profiles.md. Run after a build: node scripts/readme-tables.mjs
// A folder as argument is that of another build.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const marked = (name) => new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);

/** Rows as Markdown, the first one as head. Columns are padded as oxfmt does it. @param alignment of each column: `right`, or nothing */
export function markdownTable(rows, alignment = []) {
  // A bar would end the cell.
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = cells[0].map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.join(' | ')} |`;
  const pad = (cell, column) => (alignment[column] === 'right' ? cell.padStart(widths[column]) : cell.padEnd(widths[column]));
  const rule = widths.map((width, column) => (alignment[column] === 'right' ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  const [head, ...body] = cells.map((row) => line(row.map(pad)));
  return [head, line(rule), ...body].join('\n');
}

const fallbackOf = (option) => {
  if (!option.value || option.default === undefined || Array.isArray(option.default)) return '';
  return path.isAbsolute(String(option.default)) ? '' : `\`${option.default}\``;
};

/** One row per option: flag, environment variable, meaning, default. */
export const optionsTable = (options) =>
  markdownTable([
    ['Flag', 'Variable', 'Meaning', 'Default'],
    ...options.map((option) => [
      `\`--${option.flag}${option.value ? ` ${option.value}` : ''}\``,
      `\`${option.env}\``,
      option.help,
      fallbackOf(option),
    ]),
  ]);

const TYPES = { array: 'list of strings', mixed: 'string or object' };

const meaningInCode = ({ sets, help }) =>
  sets === undefined ? help.replace('; repeatable', '') : `\`${sets}\`: ${help[0].toLowerCase()}${help.slice(1)}`;

/** One row per option of `createServer`: name, type, meaning. */
export const serverOptionsTable = (options) =>
  markdownTable([
    ['Option', 'Type', 'Meaning'],
    ...options.map((option) => [`\`${option.name}\``, TYPES[option.schema.type] ?? option.schema.type, meaningInCode(option)]),
  ]);

/** One row per quirk of all releases that the profiles differ in: its name, what `standard` does, what `tec` does. */
export const quirksTable = (quirks) =>
  markdownTable([
    ['Quirk', 'Off (`standard`)', 'On (`tec`)'],
    ...Object.entries(quirks)
      .filter(([, { until, kind }]) => until === undefined && kind !== 'situation')
      .map(([name, { off, on }]) => [`\`${name}\``, off, on]),
  ]);

const rangeOf = ({ since, until }) => (since === undefined ? `before ${until}` : `${since} or later, before ${until}`);

/** One row per quirk of older releases of a product: its name, the releases, what they do, what newer ones do. */
export const versionsTable = (quirks, product) =>
  markdownTable([
    ['Quirk', 'Releases', 'They', 'Newer ones', 'Hole'],
    ...Object.entries(quirks)
      .filter(([, { until, of }]) => until !== undefined && of === product)
      .map(([name, quirk]) => [`\`${name}\``, rangeOf(quirk), quirk.on, quirk.off, quirk.kind === 'hole' ? 'yes' : '']),
  ]);

/** One row per setting of a site: its name, where people set it, its values, its default, what changes. */
export const settingsTable = (settings) =>
  markdownTable([
    ['Name', 'Screen', 'Values', 'Default', 'What changes'],
    ...Object.entries(settings).map(([name, { screen, values, usual, moves }]) => [
      `\`${name}\``,
      screen,
      values,
      usual === null || typeof usual === 'object' ? '' : `\`${usual === '' || /^ | $/.test(usual) ? JSON.stringify(usual) : usual}\``,
      moves,
    ]),
  ]);

/** The table between the marks of a name in a page, and the page with another one there. */
export const tableIn = (page, name) =>
  marked(name)
    .exec(page)?.[0]
    .split('\n')
    .filter((text) => text.startsWith('|'))
    .join('\n');
export const withTable = (page, name, table) => page.replace(marked(name), (_, start, end) => `${start}\n${table}\n\n${end}`);

/** Where each table is, by the name of its marks. */
export const TABLE_FILES = {
  options: 'docs/options.md',
  serverOptions: 'docs/options.md',
  quirks: 'docs/profiles.md',
  versions: 'docs/releases.md',
  wordpress: 'docs/releases.md',
  settings: 'docs/settings.md',
  calendarSettings: 'docs/settings.md',
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const built = (file) => import(pathToFileURL(path.resolve(process.argv[2] ?? path.join(root, 'dist'), file)).href);
  const tables = {
    options: optionsTable((await built('server/config/index.js')).OPTIONS),
    serverOptions: serverOptionsTable((await built('server/config/index.js')).OPTIONS),
    quirks: quirksTable((await built('plugins/quirks.js')).QUIRKS),
    versions: versionsTable((await built('plugins/quirks.js')).QUIRKS, 'the-events-calendar'),
    wordpress: versionsTable((await built('plugins/quirks.js')).QUIRKS, 'wordpress'),
    settings: settingsTable((await built('transfer/settings/table.js')).WORDPRESS_SETTINGS),
    calendarSettings: settingsTable((await built('transfer/settings/table.js')).CALENDAR_SETTINGS),
  };
  for (const [name, table] of Object.entries(tables)) {
    const file = path.join(root, TABLE_FILES[name]);
    writeFileSync(file, withTable(readFileSync(file, 'utf8'), name, table));
  }
}
