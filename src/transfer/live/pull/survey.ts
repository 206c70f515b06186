import { LINKED, LINKED_KINDS, eachLinked } from '../../../plugins/the-events-calendar/model/event.js';
import type { Event, Image } from '../../../sdk/types/responses.js';
import { ALL_DATES, type Fetcher } from './fetch.js';
import { isWithheldItem, type LinkedOnSite } from '../items.js';
import { linkedIn, type ProtectedFacts, type PostKind, type Summary } from './summary.js';

/** Maximum number of concurrent requests for single items. */
const CONCURRENCY = 4;

const imagesIn = (item: { image?: Image | false }): Image[] => (item.image ? [item.image] : []);

/** Fetches everything that a site shows, and collects facts about more than one item. */
export class SiteSurvey {
  private readonly summary: Summary = {
    ids: { ...eachLinked(() => new Set<number>()), events: new Set() },
    embedded: new Map(),
    images: new Map(),
    authors: new Set(),
    others: new Set(),
    eventTerms: new Map(),
    termUse: new Map(),
    withheld: new Set(),
    unlisted: new Set(),
    protectedEvents: new Map(),
  };

  constructor(private readonly fetcher: Fetcher) {}

  /**
   * Fetches everything once.
   * @throws DatasetError when the site rejects a request
   */
  async all(): Promise<Summary> {
    await this.fetcher.plainList();
    for (const taxonomy of ['categories', 'tags'] as const) for await (const _ of this.fetcher.terms(taxonomy));
    const details: [PostKind, number][] = [];
    for (const kind of LINKED_KINDS) {
      const { column } = LINKED[kind];
      for await (const item of this.fetcher.linked(kind)) {
        this.note(column, item);
        const hasText = Boolean(item.description) || Boolean(item.excerpt);
        if (hasText && this.isWanted(item)) details.push([column, item.id]);
      }
    }
    for await (const event of this.fetcher.events()) {
      this.noteEvent(event);
      if (isWithheldItem(event)) await this.fetchProtected(event);
      if (this.isWanted(event)) details.push(['events', event.id]);
    }
    await this.fetchSingles(details);
    await this.fetchCore();
    return this.summary;
  }

  private isWanted(item: Event | LinkedOnSite): boolean {
    const { since } = this.fetcher.options;
    return !this.summary.withheld.has(item.id) && (since === null || item.modified_utc >= since);
  }

  private note(kind: PostKind, item: Event | LinkedOnSite): void {
    const { summary } = this;
    summary.ids[kind].add(item.id);
    if (isWithheldItem(item)) summary.withheld.add(item.id);
    if (item.author !== undefined) summary.authors.add(Number(item.author));
    for (const image of imagesIn(item)) summary.images.set(image.id, image);
  }

  private noteEvent(event: Event): void {
    const { summary } = this;
    this.note('events', event);
    for (const kind of LINKED_KINDS) {
      const { column } = LINKED[kind];
      for (const item of linkedIn(event, kind)) {
        if (summary.ids[column].has(item.id)) continue;
        summary.embedded.set(item.id, { kind, item });
        this.note(column, item);
      }
    }
    for (const term of [...event.categories, ...event.tags]) {
      summary.eventTerms.set(term.id, term);
      if (event.status === 'publish') summary.termUse.set(term.id, (summary.termUse.get(term.id) ?? 0) + 1);
    }
  }

  /** Finds the links and terms of a password-protected event through the filters of other lists. */
  private async fetchProtected({ id, start_date, status }: Event): Promise<void> {
    const day = start_date?.slice(0, 10) ?? ALL_DATES.start_date;
    const { fetcher, summary } = this;
    const featured = await fetcher.idsOf('events', { start_date: day, end_date: ALL_DATES.end_date, starts_before: day, featured: 'true' });
    const links = eachLinked((): number[] => []);
    for (const column of Object.values(LINKED).map((kind) => kind.column)) links[column] = await fetcher.idsOf(column, { event: id });
    const found: ProtectedFacts = {
      links,
      categories: await fetcher.idsOf('categories', { event: id }),
      tags: await fetcher.idsOf('tags', { event: id }),
      featured: featured.includes(id),
    };
    summary.protectedEvents.set(id, found);
    if (status !== 'publish') return;
    for (const term of [...found.categories, ...found.tags]) summary.termUse.set(term, (summary.termUse.get(term) ?? 0) + 1);
  }

  private async fetchSingles(wanted: readonly [PostKind, number][]): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < wanted.length) {
        const [kind, id] = wanted[next++];
        await this.fetcher.fetchSingle(kind, id);
        this.fetcher.options.progress('Details', next, wanted.length);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  }

  /** Finds events that the core API lists and the calendar API does not. */
  private async findUnlisted(): Promise<void> {
    const { summary } = this;
    for await (const { id } of this.fetcher.corePosts('events')) {
      if (summary.ids.events.has(id)) continue;
      const { status, json } = await this.fetcher.fetchSingle<Event>('events', id);
      if (status !== 200) continue;
      summary.unlisted.add(id);
      this.noteEvent(json);
    }
  }

  private async fetchCore(): Promise<void> {
    if (!this.fetcher.live.hasCore) return;
    for await (const _ of this.fetcher.users());
    for (const kind of LINKED_KINDS) for await (const _ of this.fetcher.corePosts(LINKED[kind].column));
    await this.findUnlisted();
    for await (const _ of this.fetcher.comments());
  }
}
