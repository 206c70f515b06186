import { ConfigError, STORE_OPTIONS } from '../../server/config/index.js';
import { print, type Command, helpOf } from './command.js';
import { JSON_OPTION, PLACE_OPTIONS, contentHelp, readCall } from './content.js';
import { ServerApi, requireServer } from './site/server-api.js';

const OPTIONS = [...PLACE_OPTIONS, JSON_OPTION];

interface Saved {
  saved: boolean;
  file: string;
  added: number;
  changed: number;
  deleted: number;
  trashed: number;
  unsaved: string[];
}

export const save: Command = {
  help: () => helpOf('save', contentHelp(OPTIONS)),
  options: [...OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const { given, operands, options } = await readCall(args, OPTIONS);
    if (operands.length > 0) throw new ConfigError(`Unexpected argument ${operands[0]}. The server saves to its own dataset file`);
    const server = await requireServer(options, given);
    const result = await new ServerApi(server.url, server.token).json<Saved>('POST', '/__qa/dataset/save');
    if (given.json) return print(JSON.stringify(result));
    const { saved, file, unsaved, ...counts } = result;
    for (const line of unsaved) process.stderr.write(`Not saved: ${line}.\n`);
    const { added, changed, deleted, trashed } = counts;
    const inTrash = trashed === 0 ? '' : `, ${trashed} moved to the trash (status: trash)`;
    print(
      saved ? `Saved to ${file}: ${added} added, ${changed} changed, ${deleted} deleted${inTrash}.` : `${file} has no changes to save.`,
    );
  },
};
