import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import * as yup from 'yup';
import { commandOptions, ConfigError, STORE_OPTIONS, readArguments, type Option, type ServerOptions } from '../../server/config/index.js';
import { Cleanup } from '../../server/app/cleanup.js';
import { isUserAction, USER_ACTIONS, type UserActionName, type UserCall } from '../../control/tenant/api/user-actions.js';
import { ROLES } from '../../wordpress/users/capabilities.js';
import { didYouMean } from '../../base/text/suggest.js';
import { PLACE_OPTIONS } from './content.js';
import { ServerApi, serverFor, type SiteAddress } from './site/server-api.js';
import { switchOption, valueOption, openSite, print, type Command, helpOf, section } from './command.js';

/** Options of `understudy users`, besides those that locate the store. */
interface UserOptions extends Omit<UserCall, 'accountPassword'> {
  accountPassword?: boolean;
}

type UserOption = Option<keyof UserOptions>;

const ROLE: UserOption = valueOption('role', 'ROLE', ROLES.join(', '), { schema: yup.string().oneOf(ROLES) });
const EMAIL: UserOption = valueOption('email', 'ADDRESS', 'Email address (default: LOGIN@example.org)');
const NAME: UserOption = valueOption('displayName', 'TEXT', 'Display name (default: the login)', { flag: 'name' });
const ACCOUNT_PASSWORD: UserOption = switchOption('accountPassword', 'Set the account password, read from standard input');
const KEEP: UserOption = switchOption('keep', "Keep the user's existing application passwords");
const REASSIGN: UserOption = valueOption('reassign', 'LOGIN', "New author of the user's posts");
const JSON_OUTPUT: UserOption = switchOption('json', 'Print JSON');

const OWN_OPTIONS = [ROLE, EMAIL, NAME, ACCOUNT_PASSWORD, KEEP, REASSIGN, JSON_OUTPUT];

interface Action {
  /** Placeholder of the operand after the name of the action. */
  operand?: 'LOGIN';
  summary: string;
  options: readonly UserOption[];
  required?: readonly UserOption[];
}

const ACTIONS: Record<UserActionName, Action> = {
  add: {
    operand: 'LOGIN',
    summary: 'Create a user and print a new application password',
    options: [ROLE, EMAIL, NAME, ACCOUNT_PASSWORD],
    required: [ROLE],
  },
  list: { summary: 'Show all users', options: [JSON_OUTPUT] },
  password: {
    operand: 'LOGIN',
    summary: 'Replace the application passwords with a new one, or set the account password',
    options: [KEEP, ACCOUNT_PASSWORD],
  },
  remove: { operand: 'LOGIN', summary: 'Remove a user', options: [REASSIGN] },
};

const usageOf = (name: string, { operand, options, required = [] }: Action): string =>
  [
    name,
    ...(operand ? [operand] : []),
    ...required.map(({ flag, value }) => `--${flag} ${value}`),
    ...options.filter((option) => !required.includes(option)).map(({ flag, value }) => `[--${flag}${value ? ` ${value}` : ''}]`),
  ].join(' ');

const actionsHelp = (): string =>
  Object.entries(ACTIONS)
    .map(([name, action]) => `  ${usageOf(name, action)}\n      ${action.summary}`)
    .join('\n');

const usersHelp = (): string =>
  helpOf(
    'users',
    `Actions:
${actionsHelp()}`,
    section('Options', OWN_OPTIONS),
    section('Site [environment variable]', [...PLACE_OPTIONS, ...STORE_OPTIONS]),
    'If a server runs for the project or on the data folder, it makes the change.',
  );

/** Reads a password from the terminal without echo, or the first line of piped input. */
async function readPassword(): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stderr.write('Account password: ');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: isTerminal });
  const { value } = (await lines[Symbol.asyncIterator]().next()) as { value?: string };
  lines.close();
  if (isTerminal) process.stderr.write('\n');
  if (!value) throw new ConfigError('No account password on standard input');
  return value;
}

/** Parses and validates a command line. @throws ConfigError */
async function readCommand(
  args: readonly string[],
): Promise<{ name: UserActionName; login: string; given: UserOptions; place: SiteAddress; options: ServerOptions }> {
  const [name = '', ...rest] = args;
  if (!isUserAction(name)) {
    const isMissing = name === '' || name.startsWith('-');
    const hint = (!isMissing && didYouMean(name, Object.keys(ACTIONS))) || `. Use ${Object.keys(ACTIONS).join(', ')}`;
    throw new ConfigError(`${isMissing ? 'users requires an action' : `Unknown action ${name}`}${hint}`);
  }
  const action = ACTIONS[name];
  const usage = `understudy users ${usageOf(name, action)}`;
  const { given, operands } = readArguments<string>(rest, [...action.options, ...PLACE_OPTIONS, ...STORE_OPTIONS]);
  if (operands.length !== (action.operand ? 1 : 0) || action.required?.some((option) => given[option.name] === undefined))
    throw new ConfigError(`Usage: ${usage}`);
  const [own, place, store] = [action.options, PLACE_OPTIONS, STORE_OPTIONS].map((table) =>
    Object.fromEntries(Object.entries(given).filter(([key]) => table.some((option) => option.name === key))),
  );
  return {
    name,
    login: operands[0] ?? '',
    given: own,
    place: { ...place, isFolderGiven: 'data' in store },
    options: await commandOptions(store),
  };
}

/**
 * Runs `understudy users …`.
 * @param args the arguments after `users`
 * @returns the text to print
 * @throws ConfigError, UserError, CommandError or EngineError, with a message for the user
 */
async function runUsers(args: readonly string[]): Promise<string> {
  const { name, login, given, place, options } = await readCommand(args);
  const { accountPassword: isAsked, ...rest } = given;
  const call: UserCall = { ...rest, accountPassword: isAsked ? await readPassword() : undefined };
  const server = await serverFor(options, place);
  if (server) return new ServerApi(server.url, server.token).users(name, login, call);
  const cleanup = new Cleanup();
  try {
    return await USER_ACTIONS[name](await openSite(options, cleanup), login, call);
  } finally {
    await cleanup.run();
  }
}

export const users: Command = {
  help: usersHelp,
  options: [...OWN_OPTIONS, ...PLACE_OPTIONS, ...STORE_OPTIONS],
  operand: { value: 'ACTION', schema: yup.string().oneOf(Object.keys(ACTIONS)) },
  run: async (args) => print(await runUsers(args)),
};
