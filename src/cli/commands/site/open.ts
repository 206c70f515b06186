import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError, resolveOptions, STORE_OPTIONS, type ServerOptions } from '../../../server/config/index.js';
import { withoutUndefined } from '../../../base/values/records.js';
import { switchOption, FILE_OPERAND, print, startProgress, type Command, helpOf } from '../command.js';
import { contentHelp, PLACE_OPTIONS, readCall, type ContentCall, type ContentOption } from '../content.js';
import { openInBrowser } from './browser.js';
import { ServerApi, requireServer } from './server-api.js';

const PRINT: ContentOption = switchOption('print', 'Print the URL, without opening a browser');

const OPTIONS = [PRINT, ...PLACE_OPTIONS];

/** The options of the user's configuration that decide which database runs. The others are for the site of the project. */
const engineOf = ({ embedded, engineMemory, mongod, cacheDir, userCacheDir }: ServerOptions): Partial<ServerOptions> => ({
  embedded,
  engineMemory,
  mongod,
  cacheDir,
  userCacheDir,
});

/** Serves the site of a failed test, or of another backup, until a signal ends it. Its copy is deleted then. */
async function openFile(file: string, { given, options }: ContentCall): Promise<void> {
  const [{ restoreFile }, { run }, { readState }] = await Promise.all([
    import('../folder/restore.js'),
    import('../serve.js'),
    import('../../../transfer/backup/state.js'),
  ]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-open-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const own = resolveOptions({ ...withoutUndefined(engineOf(options)), data: folder, host: '127.0.0.1' });
  let json: string | undefined;
  await restoreFile({ given: {}, options: own }, file, startProgress(), (found) => (json = found));
  const state = json === undefined ? undefined : readState(json);
  const site = state ? { profile: state.profile as ServerOptions['profile'], ...(state.zones === null ? {} : { zones: state.zones }) } : {};
  const { port: _, ...set } = own;
  const notes = [`This is a copy of ${file}. It is deleted when the server stops; the file stays as it is.`, ''];
  await run({ ...set, ...site }, { notes, opens: !('print' in given), ...(state ? { state } : {}) });
}

export const open: Command = {
  help: () => helpOf('open', contentHelp(OPTIONS)),
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await readCall(args, OPTIONS);
    const { given, operands, options } = call;
    const [file, unexpected] = operands;
    if (unexpected !== undefined) throw new ConfigError(`Unexpected argument ${unexpected}. Usage: understudy open [FILE] [options]`);
    if (file !== undefined) return openFile(file, call);
    const server = await requireServer(options, given);
    // Throws if another server responds, or none.
    await new ServerApi(server.url, server.token).now();
    const page = `${server.url}/__qa/ui`;
    print(page);
    if (!('print' in given)) await openInBrowser(page);
  },
};
