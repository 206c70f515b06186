import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';

/** Who has a data folder open. */
export interface Owner {
  /** The process that started the database. */
  pid: number;
  /** The database itself. */
  database?: number | undefined;
  host: string;
}

/** Whether a process of this machine is there. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * A note beside a data folder that says who has it. The lock is the database's own; the note only makes its refusal readable, so a
 * stale one does no harm.
 */
export class OwnerFile {
  constructor(private readonly file: string) {}

  write(database: number | undefined): void {
    const owner: Owner = { pid: process.pid, database, host: os.hostname() };
    writeFileSync(this.file, `${JSON.stringify(owner)}\n`);
  }

  /** Takes the note away, if it is this process's. */
  remove(): void {
    if (this.read()?.pid === process.pid) rmSync(this.file, { force: true });
  }

  read(): Owner | undefined {
    try {
      const owner = JSON.parse(readFileSync(this.file, 'utf8')) as Partial<Owner>;
      return typeof owner.pid === 'number' && typeof owner.host === 'string' ? (owner as Owner) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the owner was killed, so that its database is about to end too. */
  isOrphaned(): boolean {
    const owner = this.read();
    return owner !== undefined && owner.host === os.hostname() && !isAlive(owner.pid);
  }

  /** The owner in words, for "… is open in". */
  describe(): string {
    const owner = this.read();
    if (!owner) return 'another process';
    if (owner.host !== os.hostname()) return `process ${owner.pid} on ${owner.host}`;
    if (owner.pid === process.pid) return `this process (${owner.pid})`;
    return isAlive(owner.pid) || !owner.database ? `process ${owner.pid}` : `process ${owner.database}, whose parent is gone`;
  }
}
