import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer, Login, Refusal } from '../../support/api.js';

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../examples');
const NAME_LENGTH = 70;

/** The error of a row. `params` is missing where it was not recorded. */
export interface MeasuredRefusal {
  status: number;
  code: string;
  params?: Record<string, string>;
}

interface Example<I, O> {
  input: I;
  output: O | MeasuredRefusal;
  as?: Login;
}

/** One row for `test.each`: its name, then the row. */
export type NamedExample<I, O> = [name: string, example: Example<I, O>];

const shorten = (text: string): string => (text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}… (${text.length})` : text);

const nameOf = ({ input, as }: Example<unknown, unknown>): string => shorten(JSON.stringify(input)) + (as ? ` as ${as}` : '');

/** All rows of a measured table, named after what they send. */
export const examples = <I, O>(file: string): NamedExample<I, O>[] => {
  const rows = JSON.parse(readFileSync(path.join(FOLDER, `${file}.json`), 'utf8')) as Example<I, O>[];
  return rows.map((row) => [nameOf(row), row]);
};

const isRefusal = (output: unknown): output is MeasuredRefusal =>
  typeof output === 'object' && output !== null && 'status' in output && 'code' in output;

/** The response in the form of the tables. `shown` selects from a successful one. */
export const measured = <T, S>({ status, body }: Answer<T | Refusal>, output: unknown, shown: (body: T) => S): S | MeasuredRefusal => {
  if (status < 400) return shown(body as T);
  const { code, data } = body as Refusal;
  const wantsParams = isRefusal(output) && output.params !== undefined;
  return { status, code, ...(wantsParams && { params: data?.params as Record<string, string> }) };
};

/** The expected result of a row. Where the measured service crashed, any 400 error is accepted. */
export const wanted = (output: unknown): unknown =>
  isRefusal(output) && output.code === 'internal_server_error' ? { status: 400, code: expect.any(String) as string } : output;

/** The given members of `body`, as far as they exist. */
export const pick = <T extends object>(body: T, keys: readonly string[]): Partial<T> =>
  Object.fromEntries(Object.entries(body).filter(([key]) => keys.includes(key))) as Partial<T>;
