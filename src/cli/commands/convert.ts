import { ConfigError, STORE_OPTIONS, optionHelp } from '../../server/config/index.js';
import { FILE_OPERAND, type Command } from './command.js';
import { NOW_OPTION, READ_SETTINGS, formatHelp, openInputs, settingsOf, type ContentOption } from './content.js';
import { DESTINATION_OPTIONS, readDestination, writeOrLoad } from './destination.js';

const OPTIONS: readonly ContentOption[] = [NOW_OPTION, ...READ_SETTINGS];
const USAGE = 'Usage: understudy convert FILE… -o FILE [options]';

export const convert: Command = {
  help: () => `${USAGE}

Converts a file of any format to a dataset or another format, without a server. Of recorded responses, several files and folders become one
site: HAR, cassettes of nock, VCR and Polly, mappings of WireMock, environments of Mockoon, db.json of json-server, and responses as JSON.

Formats:
${formatHelp()}

Options:
${optionHelp([...OPTIONS, ...DESTINATION_OPTIONS.filter(({ name }) => name === 'output' || name === 'format')])}

Examples:
  understudy convert events.json venues.json -o calendar.yaml
  understudy convert cassettes/ -o calendar.yaml --now 2026-06-15T12:00:00Z
  understudy convert export.xml -o calendar.ndjson`,
  options: [...OPTIONS, ...DESTINATION_OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await readDestination<Record<string, unknown>>(args, OPTIONS, {});
    const { operands, flags } = call;
    if (operands.length === 0 || flags.output === undefined) throw new ConfigError(USAGE);
    const { format: _output, ...given } = flags;
    await writeOrLoad(call, async ({ signal, cleanup }) => {
      const [source, ...others] = await openInputs({ operands, given, settings: settingsOf(given) }, signal, cleanup);
      if (others.length > 0)
        throw new ConfigError(
          'Only recorded responses become one site. Load other files with understudy seed and import, and write the result with export',
        );
      return source;
    });
  },
};
