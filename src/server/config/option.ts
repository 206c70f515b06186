import type * as yup from 'yup';
import type { ServerOptions } from './server-options.js';

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
