import { ConfigError, STORE_OPTIONS } from '../../server/config/index.js';
import { FILE_OPERAND, type Command } from './command.js';
import {
  CREATE_OPTION,
  FORMAT_OPTION,
  JSON_OPTION,
  NOW_OPTION,
  PLACE_OPTIONS,
  READ_SETTINGS,
  contentHelp,
  formatHelp,
  loadFiles,
  readCall,
} from './content.js';

const OPTIONS = [FORMAT_OPTION, NOW_OPTION, ...READ_SETTINGS, CREATE_OPTION, ...PLACE_OPTIONS, JSON_OPTION];

export const seed: Command = {
  help: () => `Usage: understudy seed FILE… [options]

Replaces the site's content with files; a reset then restores this content. Of several files, the first replaces the content and
the others are added as by 'understudy import'. Administrators are kept if the files contain none. '-' is standard input. All errors in
the files are reported together; if there are any, nothing is changed.

A server running on the data folder keeps running; without one, the content is ready at the next start.

Formats:
${formatHelp()}

${contentHelp(OPTIONS)}

Examples:
  understudy seed calendar.yaml
  understudy seed export-from-wordpress.xml extra-events.csv
  understudy seed big.ndjson --url http://127.0.0.1:8090 --token "$TOKEN"`,
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await readCall(args, OPTIONS);
    if (call.operands.length === 0) throw new ConfigError('No file to load. Usage: understudy seed FILE… [options]');
    await loadFiles(call, 'replace');
  },
};
