// Three servers on one database. The clock of one of them is wrong.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeDataset } from './site.mjs';
import { spawnServer } from './understudy.mjs';

const PRELOAD = fileURLToPath(new URL('clock-preload.mjs', import.meta.url));

/** The server whose clock is wrong. */
const WRONG = 2;
const HOUR = 3_600_000;
/** Offsets of the wrong clock, in ms. */
export const OFFSETS = [HOUR, -HOUR];

/** Number of events in the dataset. */
export const SIZE = 12;

export class Trio {
  servers = [];
  /** Servers that receive requests. */
  #used = new Set();

  constructor({ folder, uri }) {
    this.folder = folder;
    this.uri = uri;
    this.dataset = writeDataset(folder, 'trio', SIZE);
    this.clock = `${folder}/clock`;
  }

  /** Starts a server without waiting for it. */
  #spawn(n, random) {
    if (n === WRONG) writeFileSync(this.clock, String(random.pick(OFFSETS)));
    const env = n === WRONG ? { NODE_OPTIONS: `--import ${PRELOAD}`, TORTURE_CLOCK: this.clock } : {};
    return spawnServer({
      args: ['--ephemeral', '--dataset', this.dataset, '--mongodb-uri', this.uri],
      env,
    });
  }

  async start(random) {
    this.servers = [0, 1, 2].map((n) => this.#spawn(n, random));
    await Promise.all(this.servers.map((server) => server.untilServing()));
    this.servers.forEach((server) => this.#used.add(server));
  }

  async restart(server, random) {
    const n = this.servers.indexOf(server);
    this.#used.delete(server);
    this.servers[n] = this.#spawn(n, random);
    this.#used.add(await this.servers[n].untilServing());
  }

  /** Stops sending requests to a server, except for those that address it explicitly. */
  leave(server) {
    this.#used.delete(server);
  }

  use(server) {
    this.#used.add(server);
  }

  /** Selects a random server. */
  pick(random) {
    return random.pick([...this.#used]);
  }

  /** A target for requests that selects another server for each. */
  any(random) {
    const pick = () => this.pick(random);
    return {
      hasEnded: false,
      get url() {
        return pick().url;
      },
      get rest() {
        return pick().rest;
      },
    };
  }

  /** Changes the offset of the wrong clock. */
  jump(offset) {
    writeFileSync(this.clock, String(offset));
    this.servers[WRONG].signal('SIGUSR2');
  }

  async stop() {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  kill() {
    for (const server of this.servers) server.signal('SIGKILL');
  }
}
