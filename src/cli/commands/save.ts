import { ConfigError, STORE_OPTIONS } from '../../server/config/index.js';
import { CommandError, print, type Command } from './command.js';
import { JSON_OPTION, PLACE_OPTIONS, contentHelp, readCall } from './content.js';
import { ServerApi } from './site/server-api.js';
import { serverFor } from './site/running.js';

const OPTIONS = [...PLACE_OPTIONS, JSON_OPTION];

interface Saved {
  saved: boolean;
  file: string;
  added: number;
  changed: number;
  deleted: number;
  unsaved: string[];
}

export const save: Command = {
  help: () => `Usage: understudy save [options]

Writes the changes of a running server into the dataset file that it was started with (JSON or YAML). Relative dates stay relative; comments and
order stay. What a dataset cannot have is named. A reset restores the saved content from then on.

${contentHelp(OPTIONS)}

Examples:
  understudy save
  understudy save --url http://127.0.0.1:8080`,
  options: [...OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const { given, operands, options } = await readCall(args, OPTIONS);
    if (operands.length > 0) throw new ConfigError(`Unexpected argument ${operands[0]}. The server saves to its own dataset file`);
    const server = await serverFor(options, given);
    if (!server) throw new CommandError('No server runs for this project. Start understudy serve, or name a server with --url');
    const result = await new ServerApi(server.url, server.token).json<Saved>('POST', '/__qa/dataset/save');
    if (given.json) return print(JSON.stringify(result));
    const { saved, file, unsaved, ...counts } = result;
    for (const line of unsaved) process.stderr.write(`Not saved: ${line}.\n`);
    const { added, changed, deleted } = counts;
    print(saved ? `Saved to ${file}: ${added} added, ${changed} changed, ${deleted} deleted.` : `${file} has no changes to save.`);
  },
};
