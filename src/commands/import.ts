import { ConfigError } from '../config/index.js';
import type { Command } from './command.js';
import {
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

const OPTIONS = [FORMAT_OPTION, NOW_OPTION, ...READ_SETTINGS, ...PLACE_OPTIONS, JSON_OPTION];

export const importFiles: Command = {
  help: () => `Usage: understudy import FILE… [options]

Adds the content of files to what the site holds. Ids that are taken become others, and everything that refers to them follows; users are
those of the same login, terms those of the same slug; slugs that are taken get a number. Settings of the site stay. A reset takes the
added content away again. '-' is the standard input. When anything is wrong with a file, all of it is told and nothing is changed.

Formats:
${formatHelp()}

${contentHelp(OPTIONS)}

Examples:
  understudy import more-events.yaml
  understudy import club.ics --from 2026-01-01 --to 2026-12-31
  understudy import events.csv --map "Title=Event Name"`,
  run: async (args) => {
    const call = readCall(args, OPTIONS);
    if (call.operands.length === 0) throw new ConfigError('Usage: understudy import FILE…');
    await loadFiles(call, 'add');
  },
};
