import * as yup from 'yup';
import { lookup } from '../../base/values/records.js';
import { commandOptions, ConfigError } from '../../server/config/index.js';
import type { Cleanup } from '../../server/app/cleanup.js';
import type { Warn } from '../../transfer/formats/format.js';
import type { SourcePlace, LocatedProblem } from '../../transfer/source.js';
import { problemsOf } from '../../transfer/validate.js';
import { valueOption, FILE_OPERAND, print, interruptible, type Command, helpOf, section } from './command.js';
import {
  CREATE_OPTION,
  FORMAT_OPTION,
  NOW_OPTION,
  READ_SETTINGS,
  formatHelp,
  openInputs,
  readFileCall,
  type ContentOption,
} from './content.js';

/** Warnings about probable mistakes. */
interface Warning extends SourcePlace {
  file: string;
  message: string;
}

interface Outcome {
  warnings: readonly Warning[];
  files: number;
  problems: readonly LocatedProblem[];
}

/** `calendar.json:5:7: events[0].venue: …`, as editors and CI services recognize it. A problem of a whole file is one of its start. */
const lineOf = ({ file = '', line = 1, column = 1, path, message }: LocatedProblem): string =>
  `${file}:${line}:${column}: ${path ? `${path}: ` : ''}${message}`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `calendar.ics:5: warning: VEVENT "Jazz": left out: …`. */
const warningLine = ({ file, line, path, message }: Warning): string =>
  `${file}${line === undefined ? '' : `:${line}`}: warning: ${path ? `${path}: ` : ''}${message}`;

function asText({ files, problems, warnings }: Outcome): string {
  const doubts = warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning')}`;
  const summary = problems.length === 0 ? `${counted(files, 'file')}: no problems` : `${counted(problems.length, 'problem')} found`;
  return [...problems.map(lineOf), ...warnings.map(warningLine), `${summary}${doubts}.`].join('\n');
}

const asJson = ({ files, problems, warnings }: Outcome): string =>
  JSON.stringify({ valid: problems.length === 0, files, problems, warnings });

/** GitHub: workflow commands end at a line break; properties also at a comma or colon. */
const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function annotation({ file = '', line = 1, column = 1, path, message }: LocatedProblem): string {
  const text = path ? `${path}: ${message}` : message;
  return `::error file=${property(file)},line=${line},col=${column},title=Understudy::${escaped(text)}`;
}

const warningAnnotation = ({ file, line, path, message }: Warning): string =>
  `::warning file=${property(file)}${line === undefined ? '' : `,line=${line}`},title=Understudy::${escaped(path ? `${path}: ${message}` : message)}`;

const asAnnotations = (outcome: Outcome): string =>
  [...outcome.problems.map(annotation), ...outcome.warnings.map(warningAnnotation), asText(outcome)].join('\n');

const REPORTERS: Readonly<Record<string, (outcome: Outcome) => string>> = lookup({ text: asText, json: asJson, github: asAnnotations });

const REPORTER_OPTION: ContentOption = valueOption(
  'reporter',
  'NAME',
  'How to print the problems: text, json, or github for annotations in GitHub Actions',
  { schema: yup.string().oneOf(Object.keys(REPORTERS)), default: 'text' },
);

const OPTIONS = [FORMAT_OPTION, NOW_OPTION, ...READ_SETTINGS, CREATE_OPTION, REPORTER_OPTION];

export const validate: Command = {
  help: () =>
    helpOf(
      'validate',
      `Formats:
${formatHelp()}`,
      section('Options', OPTIONS),
    ),
  options: OPTIONS,
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = readFileCall(args, OPTIONS);
    if (call.operands.length === 0) throw new ConfigError('No file to check. Usage: understudy validate FILE… [options]');
    // Notes about columns would clutter the list of problems.
    const { reporter = 'text' } = call.given;
    const { create } = call.given.create === undefined ? await commandOptions({}) : call.given;
    const warnings: Warning[] = [];
    const open = async (name: string, signal: AbortSignal, cleanup: Cleanup) => {
      const onWarning: Warn = (message, at) => void warnings.push({ ...at, file: name, message });
      const [source] = await openInputs({ ...call, given: { ...call.given, reporter }, operands: [name] }, signal, cleanup, { onWarning });
      return source;
    };
    const problems = await interruptible((signal, cleanup) =>
      problemsOf(
        call.operands.map((name) => ({ name, open: () => open(name, signal, cleanup) })),
        { create: create !== false },
      ),
    );
    print(REPORTERS[reporter]({ files: call.operands.length, problems, warnings }));
    if (problems.length > 0) process.exitCode = 1;
  },
};
