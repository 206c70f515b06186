import { ConfigError, STORE_OPTIONS } from '../../server/config/index.js';
import { print, type Command, helpOf } from './command.js';
import { JSON_OPTION, PLACE_OPTIONS, contentHelp, onSite, readCall } from './content.js';

const OPTIONS = [...PLACE_OPTIONS, JSON_OPTION];

export const reset: Command = {
  help: () => helpOf('reset', contentHelp(OPTIONS)),
  options: [...OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const call = await readCall(args, OPTIONS);
    if (call.operands.length > 0) throw new ConfigError(`Unexpected argument ${call.operands[0]}. Usage: understudy reset [options]`);
    const started = performance.now();
    const where = await onSite(call, 'site', async (site) => {
      await site.reset();
      return site.where;
    });
    const ms = Math.round(performance.now() - started);
    print(call.given.json ? JSON.stringify({ reset: true, ms }) : `Reset ${where} to the content that was loaded last.`);
  },
};
