import { createReadStream } from 'node:fs';
import { open, truncate, type FileHandle } from 'node:fs/promises';
import readline from 'node:readline';

interface Position {
  start: number;
  length: number;
}

/**
 * Answers of a site on the disk, each under a key of its own, so that work that was cut short goes on where it was and nothing has to be
 * held in memory. One line per answer; a last line that was cut short is dropped.
 */
export class AnswerFile {
  private readonly positions = new Map<string, Position>();
  private end = 0;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(private readonly handle: FileHandle) {}

  /**
   * @param head what the answers depend on; a file with another head begins anew
   */
  static async open(file: string, head: string): Promise<AnswerFile> {
    const handle = await open(file, 'a+');
    const answers = new AnswerFile(handle);
    await answers.scan(file);
    if (!answers.has(head)) {
      await truncate(file, 0);
      answers.positions.clear();
      answers.end = 0;
      await answers.add(head, null);
    }
    return answers;
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

  /** How many answers there are. */
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

  /** Keeps an answer; those that come at the same time one after another. */
  add(key: string, answer: unknown): Promise<void> {
    const written = this.queue.then(async () => {
      const line = Buffer.from(`${JSON.stringify([key, answer])}\n`);
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
