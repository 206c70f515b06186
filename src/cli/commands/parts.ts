import * as yup from 'yup';
import { ConfigError, type Option } from '../../server/config/index.js';
import { PARTS } from '../../transfer/kinds.js';
import { valueOption } from './command.js';

export const ONLY_OPTION: Option<'only'> = valueOption(
  'only',
  'KINDS',
  `Only these kinds of content, comma-separated: ${PARTS.join(', ')}`,
  { schema: yup.string() },
);

/** The parts that `--only` names; null without it. @throws ConfigError for an unknown name */
export function partsNamed(given: unknown): string[] | null {
  if (typeof given !== 'string') return null;
  const names = given.split(',').map((name) => name.trim());
  return names.map((name) => {
    if (PARTS.includes(name)) return name;
    throw new ConfigError(`--only: unknown kind ${JSON.stringify(name)}. Use ${PARTS.join(', ')}`);
  });
}
