import * as yup from 'yup';
import { membersOf, withoutUndefined } from '../../base/values/records.js';
import { CALENDAR_OPTION } from '../../plugins/the-events-calendar/model/options.js';
import { checkAgainst, record } from '../formats/schema.js';
import { Problems } from '../source.js';
import type { Kind, Rows } from './kinds.js';
import { CALENDAR_SETTINGS, SETTINGS, WORDPRESS_SETTINGS } from './table.js';

/** Settings of a site by their names (`table.ts`). */
export type Settings = Readonly<Record<string, unknown>>;

const described = (rule: Kind['rule'], moves: string): Kind['rule'] => {
  const meta = { description: `${moves.replaceAll('`', '')}.` };
  return rule instanceof yup.Schema ? rule.meta(meta) : rule.meta(meta);
};

/** The declaration of settings: `site.settings` of a dataset. */
export const settingsRecord = () =>
  record(Object.fromEntries([...SETTINGS].map(([name, { rule, moves }]) => [name, described(rule, moves)])));

/** The problem of a value; null if there is none. */
export function settingProblem(name: string, value: unknown): string | null {
  const problems = new Problems();
  checkAgainst(record({ [name]: SETTINGS.get(name)?.rule ?? yup.mixed() }), { [name]: value }, problems);
  const [problem] = problems.entries;
  return problem ? `${problem.path} ${problem.message}` : null;
}

const calendarRows = (options: Rows): Rows => membersOf(options[CALENDAR_OPTION]) ?? {};

const rowsOf = (table: typeof WORDPRESS_SETTINGS, settings: Settings): Rows =>
  Object.assign(
    {},
    ...Object.entries(table).flatMap(([name, { names, rows }]) => {
      const value = settings[name];
      if (value === undefined) return [];
      return [value === null ? Object.fromEntries(names.map((row) => [row, null])) : rows(value)];
    }),
  ) as Rows;

/**
 * Adds settings to rows of the options table.
 * @param settings valid ones; null sets the default
 * @param options the rows that there are
 */
export function withSettings(settings: Settings, options: Rows): Rows {
  return {
    ...options,
    ...rowsOf(WORDPRESS_SETTINGS, settings),
    [CALENDAR_OPTION]: { ...calendarRows(options), ...rowsOf(CALENDAR_SETTINGS, settings) },
  };
}

/** The settings that rows of the options table hold, without those that are not set. */
export const settingsIn = (options: Rows): Record<string, unknown> =>
  withoutUndefined({
    ...Object.fromEntries(Object.entries(WORDPRESS_SETTINGS).map(([name, { value }]) => [name, value(options)])),
    ...Object.fromEntries(Object.entries(CALENDAR_SETTINGS).map(([name, { value }]) => [name, value(calendarRows(options))])),
  });

/** Names of the settings whose values are pages. */
export const PAGE_SETTINGS: readonly string[] = [...SETTINGS].filter(([, { isPage }]) => isPage).map(([name]) => name);

/** Settings that a dataset may have in its `site`, instead of `site.settings`. */
export const IN_SITE = ['timezone', 'posts_per_page'] as const;
