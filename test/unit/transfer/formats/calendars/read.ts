import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../../../../src/plugins/the-events-calendar/model/index.js';
import type { ReadOptions } from '../../../../../src/transfer/formats/format.js';
import { openFile } from '../../../../../src/transfer/formats/open.js';
import { DatasetError, warningText } from '../../../../../src/transfer/source.js';
import { metaValue, metaValues, type Post } from '../../../../../src/wordpress/model.js';

/** Reads calendar files into what tests compare. */

export interface More {
  status?: string;
  website?: string;
  venue?: string;
  description?: string;
  categories?: string[];
  organizers?: string[];
}

interface ReadEvent {
  title: string;
  /** In UTC, or days. */
  time: string;
  /** The local time of the start, and the zone. */
  local: string;
  more: More;
}

export interface Read {
  events: ReadEvent[];
  warnings: string[];
  error: string | null;
}

const NOW = Date.parse('2026-06-15T12:00:00Z');

/** @param name for messages */
export async function read(file: string, name: string, options: Partial<ReadOptions> = {}): Promise<Read> {
  const warnings: string[] = [];
  const problems: string[] = [];
  const posts: Post[] = [];
  const terms = new Map<number, string>();
  try {
    const warn: ReadOptions['warn'] = (line, at) => void warnings.push(warningText(line, at));
    const source = await openFile({ file, name, folder: '' }, { now: NOW, warn, ...options });
    for await (const item of source.items((problem, at) => problems.push(warningText(problem, at)))) {
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
        local: `${value('_EventStartDate')} ${value('_EventTimezone')}`,
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
  return { events, warnings, error: problems.length === 0 ? null : problems.join('\n') };
}
