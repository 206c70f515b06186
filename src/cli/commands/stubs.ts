import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as yup from 'yup';
import { didYouMean } from '../../base/text/suggest.js';
import { ConfigError, STORE_OPTIONS } from '../../server/config/index.js';
import type { KnownStub, Stub } from '../../sdk/types/qa.js';
import { readText } from '../../transfer/formats/encoding.js';
import { readOpenApi, stubsOf, type ImportedStubs } from '../../transfer/openapi/responses.js';
import { DatasetError } from '../../transfer/source.js';
import { switchOption, valueOption, CommandError, FILE_OPERAND, helpOf, print, type Command } from './command.js';
import { JSON_OPTION, PLACE_OPTIONS, contentHelp, readCall, type ContentOption } from './content.js';
import { ServerApi, serverFor } from './site/server-api.js';

const BASE: ContentOption = valueOption(
  'base',
  'PATH',
  'Where the paths of the file begin, such as /wp-json/acme/v1 (default: as its servers say)',
  { schema: yup.string().strict().matches(/^\//, '${path} must be a path that begins with /') },
);

const PRINT: ContentOption = switchOption('print', 'Print a dataset with the stubs, instead of adding them to a server');

const OPTIONS = [BASE, PRINT, ...PLACE_OPTIONS, JSON_OPTION];

const USAGE = 'understudy stubs import FILE [options]';

/** @throws DatasetError if the file is not an OpenAPI document */
async function readStubs(file: string, base: string | undefined): Promise<ImportedStubs> {
  const text = await readText({ file }).catch((error: NodeJS.ErrnoException) => {
    throw new DatasetError(file, [error.code === 'ENOENT' ? 'file not found' : `cannot be read: ${error.message}`]);
  });
  return stubsOf(readOpenApi(text, file), base);
}

/** Adds a stub, or replaces the one for the same requests that an earlier import added. */
async function put(api: ServerApi, stub: Stub, known: readonly KnownStub[]): Promise<void> {
  const same = known.find(({ match, dataset }) => dataset !== true && isDeepStrictEqual(match, stub.match));
  await (same ? api.json('PUT', `/__qa/stubs/${same.id}`, undefined, stub) : api.json('POST', '/__qa/stubs', undefined, stub));
}

/** Adds stubs in order, since of several that match, the one that was added last responds. @returns what the server does not accept */
async function addTo(api: ServerApi, stubs: readonly Stub[]): Promise<Omit<ImportedStubs, 'ignored'>> {
  const { stubs: known } = await api.json<{ stubs: KnownStub[] }>('GET', '/__qa/stubs');
  const added: Stub[] = [];
  const skipped: ImportedStubs['skipped'] = [];
  for (const stub of stubs) {
    try {
      await put(api, stub, known);
      added.push(stub);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      skipped.push({ operation: `${[stub.match?.method].flat().join()} ${stub.match?.path}`, why: error.message });
    }
  }
  return { stubs: added, skipped };
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

export const stubs: Command = {
  help: () => helpOf('stubs', contentHelp(OPTIONS)),
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const { given, operands, options } = await readCall(args, OPTIONS);
    const [action, file] = operands;
    if (action !== undefined && action !== 'import')
      throw new ConfigError(`Unknown action ${action}${didYouMean(action, ['import']) || '.'} Usage: ${USAGE}`);
    if (file === undefined || operands.length > 2) throw new ConfigError(`Usage: ${USAGE}`);
    const values = new Map(Object.entries(given));
    const base = values.get('base');
    const found = await readStubs(file, typeof base === 'string' ? base : undefined);
    const tell = (skipped: ImportedStubs['skipped']): void => {
      for (const { operation, why } of skipped) process.stderr.write(`Left out ${operation}: ${why}.\n`);
      const { ignored } = found;
      if (ignored.length > 0)
        process.stderr.write(`Values that are made by schemas need not fit ${ignored.join(', ')}. Give examples where that matters.\n`);
    };
    if (values.get('print') === true) {
      tell(found.skipped);
      return print(JSON.stringify({ stubs: found.stubs }, null, 2));
    }
    const server = await serverFor(options, given);
    if (!server)
      throw new CommandError(
        'No server runs for this project. Start understudy serve, name a server with --url, or print the stubs with --print',
      );
    const added = await addTo(new ServerApi(server.url, server.token), found.stubs);
    const skipped = [...found.skipped, ...added.skipped];
    if (given.json) return print(JSON.stringify({ added: added.stubs.length, skipped, ignored: found.ignored }));
    tell(skipped);
    print(`Added ${counted(added.stubs.length, 'stub')} of ${path.basename(file)} to the server at ${server.url}.`);
  },
};
