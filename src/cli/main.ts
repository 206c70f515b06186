import { print, type ListedCommand } from './commands/command.js';
import { noteStart } from './commands/site/notes.js';
import { ConfigError, environmentWarnings, foldedHelp } from '../server/config/index.js';
import { INCLUDED_DATASETS } from '../base/system/included-datasets.js';
import { packageVersion } from '../base/system/package-version.js';
import { didYouMean } from '../base/text/suggest.js';
import errors from './system-errors.json' with { type: 'json' };

/** Exit codes: 0 success, 1 failure, 2 usage error. */
const USAGE = 2;

const COMMANDS: Record<string, ListedCommand> = {
  init: { summary: 'Write a configuration file and a dataset to start from', load: async () => (await import('./commands/init.js')).init },
  serve: { summary: 'Start a server', load: async () => (await import('./commands/serve.js')).serve },
  open: {
    summary: 'Open the control page of a running server, or of the site of a failed test',
    load: async () => (await import('./commands/site/open.js')).open,
  },
  status: { summary: 'List the servers that run', load: async () => (await import('./commands/site/status.js')).status },
  seed: { summary: "Replace a site's content with files", load: async () => (await import('./commands/load.js')).seed },
  import: { summary: 'Add the content of files to a site', load: async () => (await import('./commands/load.js')).importFiles },
  export: { summary: "Write a site's content to a file", load: async () => (await import('./commands/export.js')).exportFile },
  convert: {
    summary: 'Convert a file, or recorded responses, to a dataset',
    load: async () => (await import('./commands/load.js')).convert,
  },
  save: { summary: 'Write changes into the dataset file of a running server', load: async () => (await import('./commands/save.js')).save },
  validate: { summary: 'Check dataset files', load: async () => (await import('./commands/validate.js')).validate },
  reset: { summary: 'Restore the content that was loaded last', load: async () => (await import('./commands/reset.js')).reset },
  journal: {
    summary: 'Export the requests that a server received, as HAR or curl',
    load: async () => (await import('./commands/journal.js')).journal,
  },
  stubs: { summary: 'Add stubs for the operations of an OpenAPI file', load: async () => (await import('./commands/stubs.js')).stubs },
  users: { summary: 'Add, list and remove users; set passwords', load: async () => (await import('./commands/users.js')).users },
  generate: { summary: 'Generate test data', load: async () => (await import('./commands/generate.js')).generateContent },
  backup: { summary: 'Write a whole site to a backup file', load: async () => (await import('./commands/folder/backup.js')).backup },
  restore: { summary: 'Restore a site from a backup file', load: async () => (await import('./commands/folder/restore.js')).restore },
  doctor: { summary: 'Check an installation and a site', load: async () => (await import('./commands/folder/doctor.js')).doctor },
  pull: { summary: 'Copy a live WordPress site', load: async () => (await import('./commands/pull.js')).pullSite },
  proxy: {
    summary: 'Serve a calendar, and forward all other requests to a live site',
    load: async () => (await import('./commands/proxy.js')).proxy,
  },
  share: {
    summary: 'Run one server for parallel tests (used by the test helpers)',
    load: async () => (await import('./commands/share.js')).share,
  },
  check: {
    summary: 'Compare a live WordPress site with this server',
    load: async () => (await import('./commands/check.js')).checkCommand,
  },
  mcp: { summary: 'Let a coding agent control a running server (MCP)', load: async () => (await import('./commands/site/mcp.js')).mcp },
  completion: {
    summary: 'Print a script that completes command lines in bash, zsh or fish',
    load: async () => (await import('./commands/completion/completion.js')).completionOf(COMMANDS),
  },
};

const overview = (): string => `Usage: understudy [COMMAND] [options]
       understudy [DATASET] [options of serve]

A stand-in for a WordPress calendar backend.

Without a command, it serves what is configured here, or a dataset (default: a demo calendar) that is deleted when the server stops.

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  .join('\n')}

Run 'understudy COMMAND --help' for the options of a command, and 'understudy --version' for the version.

Exit codes: 0 success, 1 failure, 2 usage error.`;

/** Errors whose message is complete; any other error is printed with its stack. */
const hasUserMessage = (error: unknown): error is Error =>
  error instanceof Error &&
  ['ConfigError', 'EngineError', 'DatasetError', 'UserError', 'CommandError', 'BackupError', 'SiteBusy'].includes(error.name);

/** Messages for system errors, by code. */
const SYSTEM_ERRORS: Record<string, string> = errors;

/** The text to print for an error: one line if the cause is known, otherwise the stack. */
function describeError(error: unknown): string {
  if (hasUserMessage(error)) return `understudy: ${error.message}`;
  const { code = '', path, stack, message } = error as NodeJS.ErrnoException;
  // MongoDB builds no index when less than 500 MB of disk space are free.
  if (message.startsWith('available disk space')) return `understudy: database: ${message}. Use a folder on another disk with --data`;
  if (!Object.hasOwn(SYSTEM_ERRORS, code)) return String(stack ?? error);
  return `understudy: ${path === undefined ? '' : `${path.replace(/\.\d+\.part$/, '')}: `}${SYSTEM_ERRORS[code]}`;
}

const [NARROWEST, WIDEST] = [60, 100];

/** Prints help in the width of the terminal. */
const printHelp = (help: string): void => print(foldedHelp(help, Math.max(NARROWEST, Math.min(process.stdout.columns ?? WIDEST, WIDEST))));

function unknownCommand(name: string): ConfigError {
  const hint = didYouMean(name, [...Object.keys(COMMANDS), ...INCLUDED_DATASETS]) || '. List the commands with understudy --help';
  return new ConfigError(`Unknown command ${name}${hint}`);
}

/** Whether a command line without a command begins with this: an option of a server, or a dataset. */
const isServed = (name: string): boolean =>
  !Object.hasOwn(COMMANDS, name) && (name.startsWith('-') || INCLUDED_DATASETS.includes(name) || /[./\\]/.test(name));

async function dispatch(args: string[]): Promise<void> {
  const [first, ...others] = args[0] === 'help' && args[1] !== undefined ? [args[1], '--help'] : args;
  const isHelp = others.includes('--help') || others.includes('-h');
  const [name, rest] = isHelp && isServed(first) ? ['serve', others] : [first, others];
  if (name === '--help' || name === '-h' || name === 'help') return printHelp(overview());
  if (name === '--version' || name === '-v' || name === '-V') return print(packageVersion());
  const starts = name === undefined || isServed(name) || name === 'serve' || name === 'proxy';
  // Before anything else is loaded, for commands that start at the same time.
  if (starts && !isHelp) noteStart();
  if (!isHelp) for (const text of environmentWarnings()) process.stderr.write(`Warning: ${text}\n`);
  if (name === undefined || isServed(name)) return (await import('./commands/serve.js')).serveHere(args);
  if (!Object.hasOwn(COMMANDS, name)) throw unknownCommand(name);
  const command = await COMMANDS[name].load();
  if (isHelp) return printHelp(command.help());
  await command.run(rest);
}

/** Runs the command line. The process ends with the exit code of the command. */
export function main(args: string[]): void {
  // The reader of a pipe may close it early, as `head` does.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

  dispatch(args).catch((error: unknown) => {
    process.stderr.write(`${describeError(error)}\n`);
    process.exit(error instanceof ConfigError ? USAGE : 1);
  });
}
