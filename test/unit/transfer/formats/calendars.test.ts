import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { read, type More, type Read } from './calendars/read.js';

/** Calendar files as programs write them, and broken ones, with the events that a site has afterwards: `calendars/cases.ndjson`. */

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), 'calendars');

/** One of the results that are accepted. Mentions may have alternatives, separated by `|`. */
interface Accepted {
  /** Title (`*`: any), time in UTC or days, and more. */
  events?: [title: string, time: string, more?: More][];
  warns?: string[];
  rejected?: string[];
}

interface Case {
  file: string;
  what: string;
  accepts: Accepted[];
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
const mentions = (text: string, wanted: readonly string[]): boolean =>
  wanted.every((words) => words.split('|').some((word) => text.toLowerCase().includes(word.toLowerCase())));

const hasMore = (more: More, { description, ...wanted }: More): boolean =>
  (description === undefined || plain((more.description ?? '').replace(/<[^>]*>/g, ' ')).includes(description)) &&
  Object.entries(wanted).every(
    ([name, value]) => JSON.stringify([more[name as keyof More]].flat().sort()) === JSON.stringify([value].flat().sort()),
  );

function isAccepted({ events, warnings, error }: Read, { events: wanted = [], warns = [], rejected }: Accepted): boolean {
  if (rejected) return error !== null && mentions(error, rejected);
  if (error !== null || events.length !== wanted.length || !mentions(warnings.join('\n'), warns)) return false;
  const left = [...events];
  return wanted.every(([title, time, more = {}]) => {
    const at = left.findIndex(
      (event) => (title === '*' || plain(event.title) === title) && event.time === time && hasMore(event.more, more),
    );
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

const CASES = readFileSync(path.join(FOLDER, 'cases.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

test.each(CASES)('$file: $what', async ({ file, accepts }) => {
  // Without an extension, as the content of a request.
  const result = await read(path.join(FOLDER, file), 'The body');
  if (!accepts.some((each) => isAccepted(result, each))) expect(result).toEqual(accepts);
});
