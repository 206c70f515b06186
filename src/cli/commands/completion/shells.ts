/** Scripts that complete command lines, for each shell. */

/** Possible values. */
export interface Completed {
  /** Its placeholder. */
  value: string;
  words: readonly string[];
  /** Kind of paths to offer. */
  files: 'files' | 'folders' | null;
}

interface CompletedFlag {
  /** Without the dashes. */
  flag: string;
  help: string;
  isRepeatable: boolean;
  /** null: a switch. */
  argument: Completed | null;
}

export interface CompletedCommand {
  name: string;
  summary: string;
  flags: readonly CompletedFlag[];
  operand: Completed | null;
}

/** Command that completes a command line without one. */
const DEFAULT = 'serve';

/** Every command has it. */
const HELP: CompletedFlag = { flag: 'help', help: 'Print the help', isRepeatable: false, argument: null };

const flagsOf = ({ flags }: CompletedCommand): CompletedFlag[] => [...flags, HELP];

/** A text as a literal of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const joined = (words: readonly string[]): string => quoted(words.join(' '));

const bashValue = ({ words, files }: Completed): string =>
  [...(words.length > 0 ? [`words=${joined(words)}`] : []), ...(files === null ? [] : [`kind=${files}`])].join(' ') || ':';

/** The branches of a `case` on command and option. Options with the same values share one. */
function bashArguments(commands: readonly CompletedCommand[]): string {
  const patterns = new Map<string, string[]>();
  for (const { name, flags } of commands)
    for (const { flag, argument } of flags)
      if (argument !== null) {
        const offer = bashValue(argument);
        patterns.set(offer, [...(patterns.get(offer) ?? []), `${name}:--${flag}`]);
      }
  return [...patterns].map(([offer, found]) => `    ${found.join(' | ')}) ${offer} ;;`).join('\n');
}

const bashCommand = (command: CompletedCommand): string => {
  const { name, operand } = command;
  const flags = flagsOf(command).map(({ flag }) => `--${flag}`);
  return `        ${name}) flags=${joined(flags)}${operand === null ? '' : ` ${bashValue(operand)}`} ;;`;
};

/** Bash 3.2, which macOS has, knows neither `mapfile` nor `compopt`. */
const bash = (commands: readonly CompletedCommand[]): string => {
  const names = commands.map(({ name }) => name);
  return `# Completion of understudy in bash.
_understudy() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  local words='' kind='' flags='' line
  # Bash takes the = of --option=value for a word.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $command in
    ${names.join(' | ')}) ;;
    *) command=${DEFAULT} ;;
  esac
  ((COMP_CWORD == 1)) && command=${DEFAULT}
  case $command:$previous in
${bashArguments(commands)}
    *)
      case $command in
${commands.map(bashCommand).join('\n')}
      esac
      if ((COMP_CWORD == 1)); then
        words="$words ${names.join(' ')} help"
        flags="$flags --version"
      fi
      if [[ $current == -* ]]; then words=$flags kind=''; fi
      ;;
  esac
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$words" -- "$current")
  if [[ $kind != '' ]]; then
    compopt -o filenames 2> /dev/null
    local action=file
    [[ $kind == folders ]] && action=directory
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -A "$action" -- "$current")
  fi
}
complete -F _understudy understudy`;
};

/** A text within a specification for \`_arguments\`. */
const zshText = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');

const ZSH_FILES = { files: '_files', folders: '_files -/' };

const zshAction = ({ words, files }: Completed): string => {
  const listed = words.map((word) => zshText(word)).join(' ');
  if (files === null) return words.length === 0 ? ' ' : `(${listed})`;
  return words.length === 0 ? ZSH_FILES[files] : `{compadd -- ${listed}; ${ZSH_FILES[files]}}`;
};

const zshFlag = ({ flag, help, isRepeatable, argument }: CompletedFlag): string => {
  const value = argument === null ? '' : `:${zshText(argument.value)}:${zshAction(argument)}`;
  return quoted(`${isRepeatable ? '*' : ''}--${flag}${argument === null ? '' : '='}[${zshText(help)}]${value}`);
};

const zshArguments = (command: CompletedCommand): string[] => {
  const { operand } = command;
  return [...flagsOf(command).map(zshFlag), ...(operand === null ? [] : [quoted(`*:${zshText(operand.value)}:${zshAction(operand)}`)])];
};

const zshCommand = (command: CompletedCommand): string =>
  `    ${command.name})\n      _arguments ${zshArguments(command).join(' \\\n        ')}\n      ;;`;

const zsh = (commands: readonly CompletedCommand[]): string => `#compdef understudy
# Completion of understudy in zsh.
_understudy() {
  local -a listed
  listed=(
${commands.map(({ name, summary }) => `    ${quoted(`${zshText(name)}:${summary}`)}`).join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command listed
  fi
  local command=${DEFAULT}
  if ((CURRENT > 2)) && ((\${listed[(I)$words[2]:*]})); then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
${commands.map(zshCommand).join('\n')}
  esac
}
if [[ \${funcstack[1]} == _understudy ]]; then
  _understudy "$@"
else
  compdef _understudy understudy
fi`;

/** Fish has no escape for single quotes other than a backslash. */
const fishText = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/** Completions of a value in fish: words, and files or folders. */
const fishValue = ({ words, files }: Completed): string =>
  [
    ...(files === 'files' ? ['-F'] : []),
    ...(files === 'folders' ? ["-a '(__fish_complete_directories)'"] : []),
    ...(words.length > 0 ? [`-a ${fishText(words.join(' '))}`] : []),
  ].join(' ');

const fishFlag = (condition: string, { flag, help, argument }: CompletedFlag): string =>
  [
    `complete -c understudy -n ${condition} -l ${flag} -d ${fishText(help)}`,
    ...(argument === null ? [] : ['-r', ...(argument.files === 'files' ? [] : ['-f']), fishValue(argument)]),
  ]
    .join(' ')
    .trimEnd();

const fishCommand = (condition: string, command: CompletedCommand): string[] => [
  ...flagsOf(command).map((flag) => fishFlag(condition, flag)),
  ...(command.operand === null ? [] : [`complete -c understudy -n ${condition} ${fishValue(command.operand)}`]),
];

const fish = (commands: readonly CompletedCommand[]): string => {
  const fallback = commands.find(({ name }) => name === DEFAULT);
  const names = commands.map(({ name }) => name);
  return [
    '# Completion of understudy in fish.',
    'complete -c understudy -f',
    ...commands.map(({ name, summary }) => `complete -c understudy -n __fish_use_subcommand -a ${name} -d ${fishText(summary)}`),
    ...commands.flatMap((command) => fishCommand(`'__fish_seen_subcommand_from ${command.name}'`, command)),
    ...(fallback === undefined ? [] : fishCommand(`'not __fish_seen_subcommand_from ${names.join(' ')}'`, fallback)),
  ].join('\n');
};

export type Shell = 'bash' | 'zsh' | 'fish';

export const SHELLS: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = { bash, zsh, fish };
