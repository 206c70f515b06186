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

export const seed: Command = {
  help: () => `Usage: understudy seed FILE… [options]

Puts the content of files in place of everything that the site holds; a reset goes back to it from then on. Of several files all is loaded,
those after the first as 'understudy import' would. Administrators stay when the files bring none. '-' is the standard input.
When anything is wrong with a file, all of it is told and nothing is changed.

A server that runs on the data folder goes on meanwhile; without one, the folder is filled for the next start.

Formats:
${formatHelp()}

${contentHelp(OPTIONS)}

Examples:
  understudy seed calendar.yaml
  understudy seed export-from-wordpress.xml extra-events.csv
  understudy seed big.ndjson --url http://127.0.0.1:8090 --token "$TOKEN"`,
  run: async (args) => {
    const call = readCall(args, OPTIONS);
    if (call.operands.length === 0) throw new ConfigError('Usage: understudy seed FILE…');
    await loadFiles(call, 'replace');
  },
};
