import { ConfigError, STORE_OPTIONS, optionHelp } from '../../server/config/index.js';
import { FILE_OPERAND, type Command } from './command.js';
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
const command = (
  name: string,
  verb: string,
  mode: Parameters<typeof content.loadFiles>[1],
  about: string,
  examples: readonly string[],
): Command => ({
  help: () => `Usage: understudy ${name} FILE… [options]

${about}

Formats:
${content.formatHelp()}

${content.contentHelp(OPTIONS)}

Examples:
${examples.map((example) => `  understudy ${name} ${example}`).join('\n')}`,
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await content.readCall(args, OPTIONS);
    if (call.operands.length === 0) throw new ConfigError(`No file to ${verb}. Usage: understudy ${name} FILE… [options]`);
    await content.loadFiles(call, mode);
  },
});

export const seed = command(
  'seed',
  'load',
  'replace',
  `Replaces the site's content with files; a reset then restores this content. Of several files, the first replaces the content and
the others are added as by 'understudy import'. Administrators are kept if the files contain none. '-' is standard input. All errors in
the files are reported together; if there are any, nothing is changed.

A server running on the data folder keeps running; without one, the content is ready at the next start.`,
  ['calendar.yaml', 'export-from-wordpress.xml extra-events.csv', 'big.ndjson --url http://127.0.0.1:8090 --token "$TOKEN"'],
);

export const importFiles = command(
  'import',
  'import',
  'add',
  `Adds the content of files to a site. Ids that are in use are replaced, along with all references to them; slugs that are in use get a
number. Existing users (by login) and terms (by slug) are reused. The settings of the site do not change. A reset removes the
added content. '-' is standard input. All errors in the files are reported together; if there are any, nothing is changed.`,
  ['more-events.yaml', 'club.ics --from 2026-01-01 --to 2026-12-31', 'events.csv --map "Title=Event Name"'],
);

const CONVERT_OPTIONS = [content.NOW_OPTION, ...content.READ_SETTINGS];
const CONVERT_USAGE = 'Usage: understudy convert FILE… -o FILE [options]';

export const convert: Command = {
  help: () => `${CONVERT_USAGE}

Converts a file of any format to a dataset or another format, without a server. Of recorded responses, several files and folders become one
site: HAR, cassettes of nock, VCR and Polly, mappings of WireMock, environments of Mockoon, db.json of json-server, and responses as JSON.

Formats:
${content.formatHelp()}

Options:
${optionHelp([...CONVERT_OPTIONS, ...DESTINATION_OPTIONS.filter(({ name }) => name === 'output' || name === 'format')])}

Examples:
  understudy convert events.json venues.json -o calendar.yaml
  understudy convert cassettes/ -o calendar.yaml --now 2026-06-15T12:00:00Z
  understudy convert export.xml -o calendar.ndjson`,
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
