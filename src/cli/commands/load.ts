import { ConfigError, STORE_OPTIONS } from '../../server/config/index.js';
import { FILE_OPERAND, helpOf, section, type Command } from './command.js';
import * as content from './content.js';
import { DESTINATION_OPTIONS, readDestination, writeOrLoad } from './destination.js';

const OPTIONS = [
  content.FORMAT_OPTION,
  content.NOW_OPTION,
  ...content.READ_SETTINGS,
  content.CREATE_OPTION,
  ...content.PLACE_OPTIONS,
  content.JSON_OPTION,
];

/** @param verb what the command does with a file, for the error message without one */
const command = (name: 'seed' | 'import', verb: string, mode: Parameters<typeof content.loadFiles>[1]): Command => ({
  help: () => helpOf(name, `Formats:\n${content.formatHelp()}`, content.contentHelp(OPTIONS)),
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await content.readCall(args, OPTIONS);
    if (call.operands.length === 0) throw new ConfigError(`No file to ${verb}. Usage: understudy ${name} FILE… [options]`);
    await content.loadFiles(call, mode);
  },
});

export const seed = command('seed', 'load', 'replace');

export const importFiles = command('import', 'import', 'add');

const CONVERT_OPTIONS = [content.NOW_OPTION, ...content.READ_SETTINGS];
const CONVERT_USAGE = 'Usage: understudy convert FILE… -o FILE [options]';

export const convert: Command = {
  help: () =>
    helpOf(
      'convert',
      `Formats:\n${content.formatHelp()}`,
      section('Options', [...CONVERT_OPTIONS, ...DESTINATION_OPTIONS.filter(({ name }) => name === 'output' || name === 'format')]),
    ),
  options: [...CONVERT_OPTIONS, ...DESTINATION_OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await readDestination<Record<string, unknown>>(args, CONVERT_OPTIONS, {});
    const { operands, flags } = call;
    if (operands.length === 0 || flags.output === undefined) throw new ConfigError(CONVERT_USAGE);
    const { format: _output, ...given } = flags;
    await writeOrLoad(call, async ({ signal, cleanup }) => {
      const [source, ...others] = await content.openInputs({ operands, given, settings: content.settingsOf(given) }, signal, cleanup);
      if (others.length > 0)
        throw new ConfigError(
          'Only recorded responses become one site. Load other files with understudy seed and import, and write the result with export',
        );
      return source;
    });
  },
};
