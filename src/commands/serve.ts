import { fromEnvironment, fromFlags, optionHelp, resolveOptions } from '../config/index.js';
import type { Server } from '../app/server.js';
import { say, type Command } from './command.js';

function announce(server: Server): void {
  const calendarUrl = `${server.restUrl}/${server.namespaces[0]}`;
  say(`Understudy serves a calendar at ${server.url}`);
  say('');
  for (const name of server.namespaces) say(`  ${server.restUrl}/${name}/events`);
  say(`  ${calendarUrl}/doc`);
  if (server.explorerUrl !== null) say(`  ${server.explorerUrl}`);
  say('');
  if (server.administrator !== null) {
    say(`An administrator was created. Login: ${server.administrator.login}, application password: ${server.administrator.password}`);
    say('It is shown only this once.');
    say('');
  }
  say('Stop with Ctrl-C.');
}

/** Ends the server on the first signal; a second one ends the process at once. */
function closeOnSignals(server: Server): void {
  let closing = false;
  const close = (signal: NodeJS.Signals): void => {
    if (closing) process.exit(signal === 'SIGINT' ? 130 : 143);
    closing = true;
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}

export const serve: Command = {
  help: () => `Usage: understudy serve [options]

Serves the REST API of a WordPress calendar. An empty store is filled from the dataset.

Options [environment variable]:
${optionHelp()}

Example: understudy serve --dataset fixtures/demo.json --now 2026-06-15T12:00:00Z --ephemeral`,
  run: async (args) => {
    const options = resolveOptions(fromEnvironment(), fromFlags(args));
    const { startServer } = await import('../app/server.js');
    const server = await startServer(options);
    closeOnSignals(server);
    announce(server);
  },
};
