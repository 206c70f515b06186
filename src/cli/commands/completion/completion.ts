import * as yup from 'yup';
import { ConfigError, type Option } from '../../../server/config/index.js';
import { print, type Command, type ListedCommand, type Operand } from '../command.js';
import { SHELLS, type Completed, type CompletedCommand, type Shell } from './shells.js';
import { lookup, namesOf } from '../../../base/values/records.js';

const NAMES = namesOf(SHELLS);

/** The placeholders of values that are files. */
const FILES: Readonly<Record<string, Completed['files']>> = lookup({ FILE: 'files', PATH: 'files', DIR: 'folders' });

/** A schema as data: its allowed values, or suggestions where any value is allowed. */
interface Described {
  oneOf?: readonly unknown[];
  meta?: { choices?: readonly string[] };
  innerType?: Described;
}

function choicesOf({ oneOf = [], meta, innerType }: Described): string[] {
  const own = [...oneOf, ...(meta?.choices ?? [])].map(String);
  return innerType === undefined ? own : [...own, ...choicesOf(innerType)];
}

const completed = ({ value = '', schema }: Operand): Completed => ({
  value,
  words: choicesOf(schema.describe()),
  files: FILES[value] ?? null,
});

/** The first sentence, without the values that follow a colon: the list of completions shows them. */
const shortHelp = (help: string): string => help.split(/[:;.](?: |$)/, 1)[0];

function describe(name: string, summary: string, { options, operand }: Command): CompletedCommand {
  const flags = options.map((option: Option<string>) => ({
    flag: option.flag,
    help: shortHelp(option.help),
    isRepeatable: option.separator !== undefined,
    argument: option.value === undefined ? null : completed(option),
  }));
  return { name, summary, flags, operand: operand === undefined ? null : completed(operand) };
}

const isShell = (name: string | undefined): name is Shell => NAMES.some((known) => known === name);

/** The command that prints completion scripts. @param commands all commands, by name */
export const completionOf = (commands: Readonly<Record<string, ListedCommand>>): Command => {
  const completion: Command = {
    help: () => `Usage: understudy completion ${NAMES.join('|')}

Prints a script with which a shell completes command lines: commands, options and their values, datasets and files. Print it again after an
update.

For every new shell:
  bash, in ~/.bashrc                  eval "$(understudy completion bash)"
  zsh, in ~/.zshrc, after compinit    eval "$(understudy completion zsh)"
  fish, once                          understudy completion fish > ~/.config/fish/completions/understudy.fish

Example: understudy completion bash`,
    options: [],
    operand: { value: 'SHELL', schema: yup.string().oneOf(NAMES) },
    run: async (args) => {
      const [shell, ...others] = args;
      if (!isShell(shell) || others.length > 0) throw new ConfigError(`Usage: understudy completion ${NAMES.join('|')}`);
      const loaded = Object.entries(commands).map(async ([name, { summary, load }]) =>
        describe(name, summary, name === 'completion' ? completion : await load()),
      );
      print(SHELLS[shell](await Promise.all(loaded)));
    },
  };
  return completion;
};
