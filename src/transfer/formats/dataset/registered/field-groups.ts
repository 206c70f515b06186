import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../../../base/values/records.js';
import { messageOf } from '../../../../base/values/errors.js';
import { sanitizeTitle } from '../../../../wordpress/formatting/sanitize.js';
import type { Problems } from '../../../source.js';

/** The section of a file with field groups of Advanced Custom Fields: a list, or the path of a folder with a file for each. */
const SECTION = 'acf_field_groups';

/** The field groups in the files of a folder that the plugin writes (`acf-json`). A file has one of them, or a list. */
async function groupsIn(folder: string): Promise<unknown[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) => JSON.parse(text) as unknown);
}

/** The name under which a group is kept. Hand-made ones may have no key. */
const keyOf = ({ key, title }: Readonly<Record<string, unknown>>, index: number): string =>
  typeof key === 'string' && key !== '' ? key : `group_${sanitizeTitle(typeof title === 'string' ? title : '') || index + 1}`;

/** A file with its field groups by key. @param folder the folder of the file */
export async function withFieldGroups(value: unknown, folder: string, problems: Problems): Promise<unknown> {
  if (!isRecord(value) || value[SECTION] === undefined) return value;
  let given = value[SECTION];
  if (typeof given === 'string') {
    const shown = given;
    given = await groupsIn(path.resolve(folder, given)).catch((error: unknown) => {
      problems.add(SECTION, `the folder ${shown} cannot be read: ${messageOf(error)}`);
      return [];
    });
  }
  if (!Array.isArray(given)) return value;
  return {
    ...value,
    [SECTION]: Object.fromEntries(given.map((group, index) => [isRecord(group) ? keyOf(group, index) : String(index), group as unknown])),
  };
}
