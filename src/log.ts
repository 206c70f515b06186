import { LOG_LEVELS, type LogLevel } from './config/index.js';

export type Log = Record<Exclude<LogLevel, 'silent'>, (line: string) => void>;

/** Writes nothing. */
export const silent = (): void => undefined;

/** Lines for people, on the error output: standard output is for what a command is asked for. */
export function logTo(stream: NodeJS.WritableStream, level: LogLevel): Log {
  const write = (of: LogLevel): ((line: string) => void) =>
    LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level) ? silent : (line) => void stream.write(`${line}\n`);
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
}
