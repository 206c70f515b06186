import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';

/** Bytes of bodies that are kept of one request, and of all. */
const MOST_OF_ONE = 256 * 1024;
const MOST_OF_ALL = 32 * 1024 * 1024;

type Body = string | Buffer;

/** One request and its answer, as cheaply as it can be kept: what people read is made of it when they do. */
export interface Entry {
  id: number;
  /** Real time at the end of the request, and the time of the site, ms since 1970 UTC. */
  at: number;
  clock: number;
  method: string;
  /** As sent, below the sandbox. */
  url: string;
  /** Names and values by turns, as sent. */
  rawHeaders: readonly string[];
  body: Buffer | null;
  /** Login of who signed in. */
  user: string | null;
  /** 0: the connection was dropped before an answer. */
  status: number;
  headers: Record<string, string | number | string[] | undefined>;
  answer: Body | null;
  ms: number;
  /** Rule of the fault that was made. */
  fault: number | null;
  /** Bodies that were too large to be kept, or were given up for newer ones. */
  cut: boolean;
}

const sizeOf = ({ body, answer }: Pick<Entry, 'body' | 'answer'>): number => (body?.length ?? 0) + (answer?.length ?? 0);

/** The last requests of a tenant. */
export class Journal {
  private entries: Entry[] = [];
  /** Index of the first entry whose bodies are still kept. */
  private withBodies = 0;
  private bytes = 0;
  private lastId = 0;

  /** @param most how many are kept; 0: none */
  constructor(private readonly most: number) {}

  get isOff(): boolean {
    return this.most === 0;
  }

  /** Takes an entry as it is, but for its number. */
  add(known: Entry): void {
    if (this.most === 0) return;
    known.id = this.lastId += 1;
    if (known.body !== null && known.body.length > MOST_OF_ONE) {
      known.body = null;
      known.cut = true;
    }
    if (known.answer !== null && known.answer.length > MOST_OF_ONE) {
      known.answer = null;
      known.cut = true;
    }
    this.bytes += sizeOf(known);
    this.entries.push(known);
    while (this.bytes > MOST_OF_ALL) this.forgetBodies();
    // In one go now and then, since taking the first of a long list away moves all others.
    if (this.entries.length > this.most * 1.25 + 16) this.trim();
  }

  private forgetBodies(): void {
    const oldest = this.entries[this.withBodies];
    this.withBodies += 1;
    this.bytes -= sizeOf(oldest);
    if (oldest.body !== null || oldest.answer !== null) oldest.cut = true;
    oldest.body = null;
    oldest.answer = null;
  }

  private trim(): void {
    const gone = this.entries.length - this.most;
    if (gone <= 0) return;
    for (const entry of this.entries.slice(0, gone)) this.bytes -= sizeOf(entry);
    this.entries = this.entries.slice(gone);
    this.withBodies = Math.max(0, this.withBodies - gone);
  }

  /** All that is kept, the oldest first. */
  all(): readonly Entry[] {
    this.trim();
    return this.entries;
  }

  find(id: number): Entry | undefined {
    return this.all().find((entry) => entry.id === id);
  }

  clear(): void {
    this.entries = [];
    this.withBodies = 0;
    this.bytes = 0;
  }
}

const OPTIONS = { finishFlush: constants.Z_SYNC_FLUSH };

function unpacked(bytes: Buffer, encoding: unknown): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes, OPTIONS);
  if (encoding === 'deflate') return inflateSync(bytes, OPTIONS);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

const headerOf = (headers: Entry['headers'], name: string): unknown =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

/** The answer as text, unpacked; null when it was not kept or there was none. */
export function answerText({ answer, headers }: Entry): string | null {
  if (answer === null || typeof answer === 'string') return answer;
  try {
    return unpacked(answer, headerOf(headers, 'content-encoding')).toString('utf8');
  } catch {
    return null;
  }
}

/** A header of the request, of several the first. */
export function requestHeader({ rawHeaders }: Pick<Entry, 'rawHeaders'>, name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i].toLowerCase() === name) return rawHeaders[i + 1];
  return undefined;
}

/** Headers of the request, by lower-case name. */
export function requestHeaders({ rawHeaders }: Pick<Entry, 'rawHeaders'>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i].toLowerCase();
    headers[name] = name in headers ? `${headers[name]}, ${rawHeaders[i + 1]}` : rawHeaders[i + 1];
  }
  return headers;
}
