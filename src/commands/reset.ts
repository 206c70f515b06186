import { ConfigError } from '../config/index.js';
import { say, type Command } from './command.js';
import { JSON_OPTION, PLACE_OPTIONS, contentHelp, onSite, readCall } from './content.js';

const OPTIONS = [...PLACE_OPTIONS, JSON_OPTION];

export const reset: Command = {
  help: () => `Usage: understudy reset [options]

Puts a site back to what was last loaded into it as a whole, at its first start or by 'understudy seed': content, users and files.

${contentHelp(OPTIONS)}

Example: understudy reset --data data`,
  run: async (args) => {
    const call = readCall(args, OPTIONS);
    if (call.operands.length > 0) throw new ConfigError(`Usage: understudy reset; there is no ${call.operands[0]}`);
    const started = performance.now();
    const where = await onSite(call, 'site', async (site) => {
      await site.reset();
      return site.where;
    });
    const ms = Math.round(performance.now() - started);
    say(call.given.json ? JSON.stringify({ reset: true, ms }) : `${where} is back to what was loaded.`);
  },
};
