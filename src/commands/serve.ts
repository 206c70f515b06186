import { commandOptions, fromFlags, optionHelp } from '../config/index.js';
import type { Server } from '../app/server.js';
import { openLog } from '../log.js';
import { print, type Command } from './command.js';
import { describeAdministrator } from './administrator.js';

function announce(server: Server): void {
  const calendarUrl = `${server.restUrl}/${server.namespaces[0]}`;
  const { profile, version } = server.site.quirks;
  print(`Understudy serves a calendar at ${server.url}`);
  print(`It behaves like The Events Calendar ${version}, profile ${profile}.`);
  print('');
  for (const name of server.namespaces) print(`  ${server.restUrl}/${name}/events`);
  print(`  ${calendarUrl}/doc`);
  if (server.explorerUrl !== null) print(`  ${server.explorerUrl}`);
  print('');
  if (server.administrator !== null) {
    for (const line of describeAdministrator(server.administrator)) print(line);
    print('');
  }
  if (server.certificate !== null) {
    print(`Certificate: ${server.certificate}`);
    print(
      `To trust it: NODE_EXTRA_CA_CERTS=${server.certificate} for Node.js, --cacert for curl, or open the URL in a browser and accept it.`,
    );
    print('');
  }
  print('Stop with Ctrl-C.');
}

/** The same for programs, as a line of the log. */
async function announceAsJson(server: Server): Promise<void> {
  const { url, restUrl, namespaces, explorerUrl, certificate, administrator } = server;
  const log = await openLog(process.stdout, 'info', 'json');
  const apis = namespaces.map((name) => `${restUrl}/${name}`);
  log.info('Understudy serves a calendar', { url, apis, explorer: explorerUrl, ...(certificate === null ? {} : { certificate }) });
  if (administrator) log.info(describeAdministrator(administrator).join('. '), { ...administrator });
}

/** Closes the server on the first signal; a second one ends the process at once. */
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

Serves the REST API of a WordPress calendar. Loads the dataset if the store is empty.

Options [environment variable]:
${optionHelp()}

Example: understudy serve --dataset fixtures/demo.json --now 2026-06-15T12:00:00Z --ephemeral`,
  run: async (args) => {
    const options = await commandOptions(fromFlags(args));
    const { startServer } = await import('../app/start.js');
    const server = await startServer(options);
    closeOnSignals(server);
    if (options.logFormat === 'json') await announceAsJson(server);
    else announce(server);
  },
};
