import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { CONTENT_FORMATS } from '../../../../src/transfer/formats/registry.js';
import { NOW, folder } from './files.js';

describe('what is written to a stream is whole, whichever way it is read', () => {
  /** More than a stream holds. */
  const events = Array.from({ length: 180 }, (_, n) => ({ title: `Concert ${n}`, start: '2026-08-01 19:30', end: '21:00', venue: 'hall' }));

  const WAYS: Record<string, (stream: PassThrough) => Promise<string>> = {
    'by data events': async (stream) => {
      let all = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (all += chunk));
      await finished(stream);
      return all;
    },
    'by read()': async (stream) => {
      const all: Buffer[] = [];
      stream.on('readable', () => {
        for (let part: unknown; (part = stream.read()) !== null;) all.push(part as Buffer);
      });
      await finished(stream);
      return Buffer.concat(all).toString();
    },
    'by read(7)': async (stream) => {
      const all: Buffer[] = [];
      stream.on('readable', () => {
        for (let part: unknown; (part = stream.read(7)) !== null;) all.push(part as Buffer);
      });
      await finished(stream);
      return Buffer.concat(all).toString();
    },
    'as an iterable': (stream) => textOf(stream),
    'as a web stream': (stream) => textOf(Readable.toWeb(stream)),
  };

  test.each(CONTENT_FORMATS.filter(({ write }) => write))('$name', async ({ write }) => {
    const file = path.join(folder, 'many.json');
    await writeFile(file, JSON.stringify({ venues: [{ name: 'Hall' }], events }));
    // A WordPress export says when it was written.
    const source = { ...(await openFile(inputFile(file), { now: NOW })), clock: NOW };
    const put = await write?.();
    const options = { file: null, warn: () => undefined };
    const parts: string[] = [];
    await put?.(source, new Writable({ decodeStrings: false, write: (part, _, done) => (parts.push(String(part)), done()) }), options);
    const whole = parts.join('');
    expect(whole.length).toBeGreaterThan(2 ** 14);
    expect(whole.match(/Concert \d+/g)).toEqual(expect.arrayContaining(events.map(({ title }) => title)));
    for (const [way, read] of Object.entries(WAYS)) {
      const stream = new PassThrough({ highWaterMark: 100 });
      const found = read(stream);
      await put?.(source, stream, options);
      stream.end();
      expect([way, (await found) === whole]).toEqual([way, true]);
    }
  });
});
