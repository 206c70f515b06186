#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { say, type Command } from './commands/command.js';
import { ConfigError } from './config/index.js';

/** Exit codes: 0 fine, 1 something failed, 2 the command was not understood. */
const USAGE = 2;

interface Entry {
  summary: string;
  /** What a command needs is loaded when it is asked for. */
  load: () => Promise<Command>;
}

const COMMANDS: Record<string, Entry> = {
  serve: { summary: 'Serve a calendar', load: async () => (await import('./commands/serve.js')).serve },
  seed: { summary: 'Put files in place of what a site holds', load: async () => (await import('./commands/seed.js')).seed },
  import: { summary: 'Add files to what a site holds', load: async () => (await import('./commands/import.js')).importFiles },
  export: { summary: 'Write what a site holds to a file', load: async () => (await import('./commands/export.js')).exportFile },
  reset: { summary: 'Go back to what was loaded', load: async () => (await import('./commands/reset.js')).reset },
  users: { summary: 'Add, list and remove users, make passwords', load: async () => (await import('./commands/users.js')).users },
  generate: { summary: 'Make up a calendar', load: async () => (await import('./commands/generate.js')).generateContent },
  pull: { summary: 'Copy a live WordPress site', load: async () => (await import('./commands/pull.js')).pullSite },
  share: {
    summary: 'Serve to tests until they have ended; their helpers call it',
    load: async () => (await import('./commands/share.js')).share,
  },
  check: { summary: 'Compare a live WordPress site with this server', load: async () => (await import('./commands/check.js')).check },
};

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
  error instanceof Error && ['ConfigError', 'EngineError', 'DatasetError', 'UserError', 'CommandError'].includes(error.name);

/** What the operating system refuses, in words. */
const REFUSALS: Record<string, string> = {
  EACCES: 'this user has no right to it; change its rights, or name another place',
  EPERM: 'this user has no right to it; change its rights, or name another place',
  EROFS: 'it is on a disk that can only be read; name another place',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EEXIST: 'it is a file where a folder is needed; name another place',
  ENOTDIR: 'there is a file where a folder is needed; name another place',
  EISDIR: 'it is a folder where a file is needed; name another place',
  ENOENT: 'there is no such file or folder',
};

/** What to tell of an error: a line where that is enough, else where it happened. */
function lineOf(error: unknown): string {
  if (isForPeople(error)) return `understudy: ${error.message}`;
  const { code = '', path, stack, message } = error as NodeJS.ErrnoException;
  // MongoDB: makes no index where less than 500 MB are free.
  if (message.startsWith('available disk space')) return `understudy: the database: ${message}; name a place on another disk with --data`;
  if (!Object.hasOwn(REFUSALS, code)) return String(stack ?? error);
  return `understudy: ${path === undefined ? '' : `${path.replace(/\.\d+\.part$/, '')}: `}${REFUSALS[code]} (${code})`;
}

async function main(args: string[]): Promise<void> {
  const [name = '--help', ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') return say(overview());
  if (name === '--version' || name === '-v') return say(packageVersion());
  if (!Object.hasOwn(COMMANDS, name)) throw new ConfigError(`There is no command ${name}; understudy --help lists them`);
  const command = await COMMANDS[name].load();
  if (rest.includes('--help') || rest.includes('-h')) return say(command.help());
  await command.run(rest);
}

// Who reads our output may stop when it has seen enough, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${lineOf(error)}\n`);
  process.exit(error instanceof ConfigError ? USAGE : 1);
});
