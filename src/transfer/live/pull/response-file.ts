import { createReadStream } from 'node:fs';
import { open, truncate, type FileHandle } from 'node:fs/promises';
import readline from 'node:readline';

interface Position {
  start: number;
  length: number;
}

/** The responses of a site so far, by key. */
export interface Responses {
  read: <T>(key: string) => Promise<T | undefined>;
  add: (key: string, response: unknown) => Promise<void>;
  close: () => Promise<void>;
}

export function responsesInMemory(): Responses {
  const known = new Map<string, unknown>();
  return {
    read: <T>(key: string) => Promise.resolve(known.get(key) as T | undefined),
    add: (key, response) => Promise.resolve(void known.set(key, response)),
    close: () => Promise.resolve(),
  };
}

/**
 * Responses of a site in a file, by key. An interrupted pull can continue from it, and the responses need not be held in memory. The file
 * has one line per response; a truncated last line is dropped.
 */
export class ResponseFile implements Responses {
  private readonly positions = new Map<string, Position>();
  private end = 0;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(private readonly handle: FileHandle) {}

  /**
   * @param head identifies the site and the request options; a file with another head is emptied
   */
  static async open(file: string, head: string): Promise<ResponseFile> {
    const handle = await open(file, 'a+');
    const responses = new ResponseFile(handle);
    await responses.scan(file);
    if (!responses.has(head)) {
      await truncate(file, 0);
      responses.positions.clear();
      responses.end = 0;
      await responses.add(head, null);
    }
    return responses;
  }

  private async scan(file: string): Promise<void> {
    const { size } = await this.handle.stat();
    const lines = readline.createInterface({ input: createReadStream(file), crlfDelay: Infinity });
    for await (const line of lines) {
      const length = Buffer.byteLength(line);
      if (this.end + length + 1 > size) break;
      const key = /^\["((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
      if (key !== undefined) this.positions.set(JSON.parse(`"${key}"`) as string, { start: this.end, length });
      this.end += length + 1;
    }
    await truncate(file, this.end);
  }

  get size(): number {
    return this.positions.size - 1;
  }

  has(key: string): boolean {
    return this.positions.has(key);
  }

  async read<T>(key: string): Promise<T | undefined> {
    const position = this.positions.get(key);
    if (!position) return undefined;
    const bytes = Buffer.alloc(position.length);
    await this.handle.read(bytes, 0, position.length, position.start);
    return (JSON.parse(bytes.toString('utf8')) as [string, T])[1];
  }

  /** Saves a response. Concurrent calls are written one after another. */
  add(key: string, response: unknown): Promise<void> {
    const written = this.queue.then(async () => {
      const line = Buffer.from(`${JSON.stringify([key, response])}\n`);
      await this.handle.appendFile(line);
      this.positions.set(key, { start: this.end, length: line.length - 1 });
      this.end += line.length;
    });
    this.queue = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.queue;
    await this.handle.close();
  }
}
