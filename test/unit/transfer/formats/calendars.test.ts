import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../../../src/plugins/the-events-calendar/model/index.js';
import { openFile } from '../../../../src/transfer/formats/open.js';
import { DatasetError } from '../../../../src/transfer/problems.js';
import { metaValue, metaValues, type Post } from '../../../../src/wordpress/model.js';

/** Calendar files as programs write them, and broken ones, with the events that a site has afterwards: `calendars/cases.ndjson`. */

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), 'calendars');
const NOW = Date.parse('2026-06-15T12:00:00Z');

interface More {
  status?: string;
  website?: string;
  venue?: string;
  description?: string;
  categories?: string[];
  organizers?: string[];
}

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

interface Read {
  events: { title: string; time: string; more: More }[];
  warnings: string;
  error: string | null;
}

async function read(file: string): Promise<Read> {
  const warnings: string[] = [];
  const problems: string[] = [];
  const posts: Post[] = [];
  const terms = new Map<number, string>();
  const tell = (line: string): void => void warnings.push(line);
  try {
    // Without an extension, as the content of a request.
    const input = { file: path.join(FOLDER, file), name: 'The body', folder: FOLDER };
    const source = await openFile(input, { now: NOW, warn: tell });
    for await (const item of source.items((problem) => problems.push(problem))) {
      if (item.kind === 'post') posts.push(item.post);
      if (item.kind === 'term') terms.set(item.term._id, item.term.name);
    }
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    problems.push(error.message);
  }
  const titles = (type: string, ids: readonly string[]): string[] =>
    posts.filter((post) => post.type === type && ids.includes(String(post._id))).map(({ title }) => title);
  const events = posts
    .filter(({ type }) => type === EVENT)
    .map((post) => {
      const value = (key: string): string => metaValue(post, key) ?? '';
      const [first, last] = ['_EventStartDate', '_EventEndDate'].map((key) => value(key).slice(0, 10));
      const days = first === last ? first : `${first} to ${last}`;
      return {
        title: post.title,
        time: value('_EventAllDay') === '' ? `${value('_EventStartDateUTC')} to ${value('_EventEndDateUTC')}` : days,
        more: {
          status: post.status,
          website: value('_EventURL'),
          venue: titles(VENUE, [value('_EventVenueID')])[0] ?? '',
          description: post.content,
          categories: (post.terms[EVENT_CATEGORY] ?? []).map((id) => terms.get(id) ?? ''),
          organizers: titles(ORGANIZER, metaValues(post, '_EventOrganizerID')),
        },
      };
    });
  return { events, warnings: warnings.join('\n'), error: problems.length === 0 ? null : problems.join('\n') };
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
  if (error !== null || events.length !== wanted.length || !mentions(warnings, warns)) return false;
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
  const result = await read(file);
  if (!accepts.some((each) => isAccepted(result, each))) expect(result).toEqual(accepts);
});
