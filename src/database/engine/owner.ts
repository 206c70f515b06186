import { rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { codeOf } from '../../base/values/errors.js';
import { readJson } from '../../base/system/files.js';

/** The processes that use a data folder. */
export interface Owner {
  /** The process that started the database. */
  pid: number;
  /** The database process. */
  database?: number | undefined;
  host: string;
}

/** Whether a process is running on this machine. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

/**
 * A file next to a data folder that records which process uses it. The database has its own lock: the file only makes the error message
 * readable, so a stale one is harmless.
 */
export class OwnerFile {
  constructor(private readonly file: string) {}

  write(database: number | undefined): void {
    const owner: Owner = { pid: process.pid, database, host: os.hostname() };
    writeFileSync(this.file, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  }

  /**
   * Records this process while the database is still starting, unless the folder belongs to a running process.
   * @returns whether it did
   */
  claim(database: number | undefined): boolean {
    const isFree = this.read() === undefined || this.isOrphaned();
    if (isFree) this.write(database);
    return isFree;
  }

  /** Removes the file if this process has written it. */
  remove(): void {
    if (this.read()?.pid === process.pid) rmSync(this.file, { force: true });
  }

  read(): Owner | undefined {
    try {
      const owner = readJson<Partial<Owner>>(this.file);
      return typeof owner.pid === 'number' && typeof owner.host === 'string' ? (owner as Owner) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the owner was killed, so that its database will exit too. */
  isOrphaned(): boolean {
    const owner = this.read();
    return owner !== undefined && owner.host === os.hostname() && !isAlive(owner.pid);
  }

  /** Describes the owner, for "… is in use by". */
  describe(): string {
    const owner = this.read();
    if (!owner) return 'another process';
    if (owner.host !== os.hostname()) return `process ${owner.pid} on ${owner.host}`;
    if (owner.pid === process.pid) return `this process (${owner.pid})`;
    return isAlive(owner.pid) || !owner.database ? `process ${owner.pid}` : `process ${owner.database}, whose parent is gone`;
  }
}
