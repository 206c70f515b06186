import { AsyncLocalStorage } from 'node:async_hooks';
import { LOG_LEVELS, type LogFormat, type LogLevel } from './log-levels.js';

/** Named values of a line, for programs. Lines for people do not repeat them. */
type LogFields = Record<string, string | number | boolean | null | readonly string[]>;

export type Log = Record<Exclude<LogLevel, 'silent'>, (line: string, fields?: LogFields) => void>;

/** A log function that discards its lines. */
export const silent = (): void => undefined;

/** The id of the request that is being handled, if requests have ids. Lines that are logged meanwhile name it. */
export const requestId = new AsyncLocalStorage<string>();

/** Logs lines up to `level` to a stream. Use stderr: stdout is for the output of a command. */
export function logTo(stream: NodeJS.WritableStream, level: LogLevel): Log {
  const write = (of: LogLevel): ((line: string) => void) => {
    if (LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level)) return silent;
    return (line) => {
      const id = requestId.getStore();
      stream.write(id === undefined ? `${line}\n` : `${line} [${id}]\n`);
    };
  };
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
}

/** Logs JSON, one object a line. Loads the library on first use. */
async function jsonLog(stream: NodeJS.WritableStream, level: LogLevel): Promise<Log> {
  const { pino, stdTimeFunctions } = await import('pino');
  const options = {
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const id = requestId.getStore();
      return id === undefined ? {} : { requestId: id };
    },
  };
  const logger = pino(options, stream);
  const write = (of: Exclude<LogLevel, 'silent'>): Log[typeof of] =>
    logger.isLevelEnabled(of) ? (line, fields = {}) => logger[of](fields, line) : silent;
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
}

export const openLog = async (stream: NodeJS.WritableStream, level: LogLevel, format: LogFormat): Promise<Log> =>
  format === 'json' ? jsonLog(stream, level) : logTo(stream, level);
