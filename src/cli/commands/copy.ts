import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fromEnvironment, resolveOptions, type ServerOptions } from '../../server/config/index.js';
import { placeIn } from '../../transfer/load/mirror.js';
import { pull, type PullOptions } from '../../transfer/live/pull/pull.js';
import { loadSource } from '../../transfer/load/load.js';
import { startServer } from '../../server/app/start.js';
import type { DatasetSource } from '../../transfer/source.js';
import { setApplicationPassword } from '../../wordpress/users/users.js';
import type { Server } from '../../server/app/server.js';
import type { Administrator } from '../../transfer/load/administrator.js';

/** Starts an ephemeral server with the content of a source. The login of the site gets a password there, if the content has this user. */
export async function serverWith(
  source: DatasetSource,
  { own, progress, client: { credentials } }: Pick<PullOptions, 'progress' | 'client'> & { own: Partial<ServerOptions> },
): Promise<{ server: Server; administrator: Pick<Administrator, 'login' | 'password'> | null; close: () => Promise<void> }> {
  const server = await startServer(resolveOptions(fromEnvironment(), { ...own, plugins: [...(source.plugins ?? [])], ephemeral: true }));
  const { site } = server;
  const loaded = await loadSource(site.store, source, {
    mode: 'replace',
    place: placeIn(path.dirname(site.uploads)),
    siteUrl: server.url,
    now: site.clock.seconds(),
    onProgress: progress,
  });
  const login = credentials && (await site.store.users.findOne({ login: credentials.login }))?.login;
  const password =
    login && (await setApplicationPassword(site.store, login, { name: 'check', keep: false, created: site.clock.seconds() }));
  const administrator = login && password ? { login, password } : loaded.administrator;
  await site.reload();
  return { server, administrator, close: () => server.close() };
}

/** Starts an ephemeral server with a copy of a live site. */
export async function copyOf(
  url: string,
  { own, ...options }: Pick<PullOptions, 'client' | 'notify' | 'progress'> & { own: Partial<ServerOptions> },
): ReturnType<typeof serverWith> {
  const state = await mkdtemp(path.join(os.tmpdir(), 'understudy-pull-'));
  try {
    // API responses do not depend on the content of files, so files are not copied. The copy is deleted in the end: people keep their names.
    const pulled = await pull({ url, state, files: false, since: null, fresh: true, keepsPeople: true, ...options });
    const served = await serverWith(pulled.source, { own, ...options });
    await pulled.close();
    return served;
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}
