import { LOG_LEVELS, type LogLevel } from './config/index.js';

export type Log = Record<Exclude<LogLevel, 'silent'>, (line: string) => void>;

/** A log function that discards its lines. */
export const silent = (): void => undefined;

/** Logs lines up to `level` to a stream. Use stderr: stdout is for the output of a command. */
export function logTo(stream: NodeJS.WritableStream, level: LogLevel): Log {
  const write = (of: LogLevel): ((line: string) => void) =>
    LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level) ? silent : (line) => void stream.write(`${line}\n`);
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
}
