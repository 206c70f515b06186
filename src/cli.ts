#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { ConfigError, fromEnvironment, fromFlags, optionHelp, resolveOptions } from './config.js';
import type { Server } from './server.js';

/** Exit codes: 0 fine, 1 something failed, 2 the command was not understood. */
const USAGE = 2;

/** What a command needs is loaded when it runs: help and mistakes are answered at once. */
interface Command {
  summary: string;
  help: () => string | Promise<string>;
  run: (args: string[]) => Promise<void>;
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function announce(server: Server): void {
  const calendarUrl = `${server.restUrl}/${server.namespaces[0]}`;
  say(`Understudy serves a calendar at ${server.url}`);
  say('');
  for (const name of server.namespaces) say(`  ${server.restUrl}/${name}/events`);
  say(`  ${calendarUrl}/doc`);
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

const serve: Command = {
  summary: 'Serve a calendar',
  help: () => `Usage: understudy serve [options]

Serves the REST API of a WordPress calendar. An empty store is filled from the dataset.

Options [environment variable]:
${optionHelp()}

Example: understudy serve --dataset fixtures/demo.json --now 2026-06-15T12:00:00Z --ephemeral`,
  run: async (args) => {
    const options = resolveOptions(fromEnvironment(), fromFlags(args));
    const { startServer } = await import('./server.js');
    const server = await startServer(options);
    closeOnSignals(server);
    announce(server);
  },
};

const users: Command = {
  summary: 'Add, list and remove users, make passwords',
  help: async () => (await import('./user-commands.js')).usersHelp(),
  run: async (args) => say(await (await import('./user-commands.js')).runUsers(args)),
};

const COMMANDS: Record<string, Command> = { serve, users };

const packageVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;

const overview = (): string => `Usage: understudy COMMAND [options]

A stand-in for a WordPress calendar backend.

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

'understudy COMMAND --help' tells more of each; 'understudy --version' prints the version.`;

/** Errors that say all there is to say in their message. */
const isForPeople = (error: unknown): error is Error =>
  error instanceof Error && ['ConfigError', 'EngineError', 'DatasetError', 'UserError'].includes(error.name);

async function main(args: string[]): Promise<void> {
  const [name = '--help', ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') return say(overview());
  if (name === '--version' || name === '-v') return say(packageVersion());
  const command = COMMANDS[name];
  if (!command) throw new ConfigError(`There is no command ${name}; understudy --help lists them`);
  if (rest.includes('--help') || rest.includes('-h')) return say(await command.help());
  await command.run(rest);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${isForPeople(error) ? `understudy: ${error.message}` : (error as Error).stack}\n`);
  process.exit(error instanceof ConfigError ? USAGE : 1);
});
