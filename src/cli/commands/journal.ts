import { existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as yup from 'yup';
import { lookup } from '../../base/values/records.js';
import { ConfigError, STORE_OPTIONS } from '../../server/config/index.js';
import { switchOption, valueOption, FILE_OPERAND, helpOf, type Command } from './command.js';
import { PLACE_OPTIONS, contentHelp, isStream, readCall, type ContentOption } from './content.js';
import { toFile } from './export.js';
import { ServerApi, requireServer } from './site/server-api.js';

/** The formats and their routes below `/__qa`. */
const ROUTES: Record<string, string> = lookup({ har: '/journal.har', curl: '/journal/curl' });
const FORMATS = Object.keys(ROUTES);

const text = (): yup.StringSchema => yup.string().strict();

const FORMAT: ContentOption = valueOption('format', 'NAME', 'har: HTTP Archive 1.2; curl: one command per line, for POSIX shells', {
  schema: text().oneOf(FORMATS),
  default: 'har',
});

const FORCE: ContentOption = switchOption('force', 'Replace FILE if it exists');

/** Options that are parameters of the routes. */
const FILTERS: readonly ContentOption[] = [
  valueOption('method', 'NAME', 'Only requests with this method', { schema: text() }),
  valueOption('path', 'GLOB', 'Only requests to this path, or route below the REST root; ** matches across segments', { schema: text() }),
  valueOption('status', 'STATUS', 'Only responses with this status, or class of statuses: 404, 5xx', {
    schema: text().matches(/^(?:\d{1,3}|[1-5]xx)$/, '${path} must be a status such as 404, or 4xx'),
  }),
  valueOption('since', 'TIME', 'Only requests since this time (ISO 8601), or after the entry with this ID', { schema: text() }),
  valueOption('user', 'LOGIN', 'Only requests of this user', { schema: text() }),
  valueOption('limit', 'N', 'Only the latest N requests', { schema: yup.number().integer().min(1).typeError('${path} must be a number') }),
];

const OPTIONS = [FORMAT, ...FILTERS, FORCE, ...PLACE_OPTIONS];

const USAGE = 'understudy journal [FILE] [options]';

export const journal: Command = {
  help: () => helpOf('journal', contentHelp(OPTIONS)),
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const { given, operands, options } = await readCall(args, OPTIONS);
    if (operands.length > 1) throw new ConfigError(`Usage: ${USAGE}`);
    const { force } = given;
    const format = given.format ?? 'har';
    const file = operands.find((name) => !isStream(name));
    if (file !== undefined && force !== true && existsSync(file)) throw new ConfigError(`${file} already exists. Replace it with --force`);
    const server = await requireServer(options, given);
    const values = new Map(Object.entries(given));
    const query = new URLSearchParams(
      FILTERS.flatMap(({ name }) => (values.has(name) ? [[name, String(values.get(name))] as [string, string]] : [])),
    );
    const response = await new ServerApi(server.url, server.token).ask('GET', `/__qa${ROUTES[format]}?${query}`);
    if (file === undefined) return pipeline(response, process.stdout, { end: false });
    await toFile(file, (out) => pipeline(response, out, { end: false }));
    process.stderr.write(`Wrote the journal to ${file}.\n`);
  },
};
