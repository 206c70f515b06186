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

export const importFiles: Command = {
  help: () => `Usage: understudy import FILE… [options]

Adds the content of files to a site. Ids that are in use are replaced, along with all references to them; slugs that are in use get a
number. Existing users (by login) and terms (by slug) are reused. The settings of the site do not change. A reset removes the
added content. '-' is standard input. All errors in the files are reported together; if there are any, nothing is changed.

Formats:
${formatHelp()}

${contentHelp(OPTIONS)}

Examples:
  understudy import more-events.yaml
  understudy import club.ics --from 2026-01-01 --to 2026-12-31
  understudy import events.csv --map "Title=Event Name"`,
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await readCall(args, OPTIONS);
    if (call.operands.length === 0) throw new ConfigError('No file to import. Usage: understudy import FILE… [options]');
    await loadFiles(call, 'add');
  },
};
