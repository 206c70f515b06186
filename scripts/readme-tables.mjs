// The tables that come from the code: options in docs/options.md, quirks in docs/profiles.md and docs/releases.md, settings in docs/settings.md. Run after a build: node scripts/readme-tables.mjs
// A folder as argument is that of another build.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const marked = (name) => new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)([\\s\\S]*?)(<!-- end of ${name} -->)`);

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

const camelCase = (flag) => flag.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase());
const variableOf = (name) => `UNDERSTUDY_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** The name in code, unless it is the flag in camel case, and the environment variable, unless it is made of the name. */
function namesIn({ name, flag, env }) {
  const names = [...(name === camelCase(flag) ? [] : [name]), ...(env === variableOf(name) ? [] : [env])];
  return names.length === 0 ? '' : ` (${names.map((each) => `\`${each}\``).join(', ')})`;
}

const optionLine = (option) => {
  const fallback = fallbackOf(option);
  const flag = `--${option.flag}${option.value ? ` ${option.value}` : ''}`;
  return `- \`${flag}\`${namesIn(option)}: ${option.help}${fallback === '' ? '' : ` (default: ${fallback})`}`;
};

/** For each group of options a heading and a list: flag, name in code, meaning, default. */
export const optionsTable = (options, groups) =>
  Object.entries(groups)
    .map(([group, names]) => {
      const lines = options.filter(({ name }) => names.includes(name)).map(optionLine);
      return `### ${group}\n\n${lines.join('\n')}`;
    })
    .join('\n\n');

const quirkLines = (rows) => rows.map(([name, { on }]) => `- \`${name}\`: ${on}`).join('\n');

/** The quirks of all releases that the profiles differ in: permission holes and others, each with what `tec` does. */
export function quirksTable(quirks) {
  const rows = Object.entries(quirks).filter(([, { until, kind }]) => until === undefined && kind !== 'situation');
  const others = quirkLines(rows.filter(([, { kind }]) => kind !== 'hole'));
  const holes = quirkLines(rows.filter(([, { kind }]) => kind === 'hole'));
  return `### Behavior\n\n${others}\n\n### Permission holes\n\n${holes}`;
}

const numbers = (release) => release.split('.').map(Number);
const byRelease = (a, b) => {
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at === -1 ? a.length - b.length : left[at] - (right[at] ?? 0);
};

const groupBy = (rows, keyOf) => rows.reduce((groups, row) => groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]), new Map());

/** The changes in releases of a product, the newest first: a table for each release with several changes, or one for all of them. */
export function versionsTable(quirks, product) {
  const rows = Object.entries(quirks)
    .filter(([, { until, of }]) => until !== undefined && of === product)
    .toSorted(([, a], [, b]) => byRelease(b.until, a.until))
    .map(([name, { until, since, off, kind }]) => {
      const notes = [...(since === undefined ? [] : [`introduced in ${since}`]), ...(kind === 'hole' ? ['hole'] : [])];
      return [until, off, notes.length === 0 ? `\`${name}\`` : `\`${name}\` (${notes.join(', ')})`];
    });
  const releases = groupBy(rows, ([until]) => until);
  if (releases.size > rows.length / 2) return markdownTable([['Release', 'Behavior', 'Quirk'], ...rows]);
  return [...releases]
    .map(([release, group]) => `### ${release}\n\n${markdownTable([['Behavior', 'Quirk'], ...group.map(([, ...cells]) => cells)])}`)
    .join('\n\n');
}

/** The values of a setting, unless its default shows them, and the default. */
function valuesOf({ values, usual }) {
  const hasDefault = usual !== null && typeof usual !== 'object';
  const isShown = !(hasDefault && ['`true`, `false`', 'text'].includes(values));
  const fallback = usual === '' || /^ | $/.test(usual) ? JSON.stringify(usual) : usual;
  return [...(isShown ? [values] : []), ...(hasDefault ? [`default: \`${fallback}\``] : [])].join('; ');
}

/** The settings of a site by screen: name, values, default, what changes. A single screen has no heading. */
export function settingsTable(settings) {
  const rows = Object.entries(settings);
  const screens = [...new Set(rows.map(([, { screen }]) => screen))];
  const linesOf = (each) =>
    rows
      .filter(([, { screen }]) => screen === each)
      .map(([name, row]) => `- \`${name}\` (${valuesOf(row)}): ${row.moves}`)
      .join('\n');
  return screens.length === 1
    ? linesOf(screens[0])
    : screens.map((each) => `### ${each[0].toUpperCase()}${each.slice(1)}\n\n${linesOf(each)}`).join('\n\n');
}

/** The text between the marks of a name in a page, and the page with another one there. */
export const tableIn = (page, name) => marked(name).exec(page)?.[2].trim();
export const withTable = (page, name, table) => page.replace(marked(name), (_, start, before, end) => `${start}\n${table}\n\n${end}`);

/** Where each table is, by the name of its marks. */
export const TABLE_FILES = {
  options: 'docs/options.md',
  quirks: 'docs/profiles.md',
  versions: 'docs/releases.md',
  wordpress: 'docs/releases.md',
  settings: 'docs/settings.md',
  calendarSettings: 'docs/settings.md',
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const built = (file) => import(pathToFileURL(path.resolve(process.argv[2] ?? path.join(root, 'dist'), file)).href);
  const config = await built('server/config/options.js');
  const tables = {
    options: optionsTable(config.OPTIONS, config.GROUPS),
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
