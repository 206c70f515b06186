import path from 'node:path';
import { saveTermDescription, saveTermName } from '../../../wp/formatting/sanitize.js';
import { truncateSlug } from '../../../wp/formatting/slug.js';
import { ATTACHMENT, TAG, ZERO_DATE, isDraftLike, type MetaRow, type Post, type Term } from '../../../wp/model.js';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../../tec/index.js';
import { derive } from '../../../wp/posts.js';
import { deriveTerm } from '../../../wp/terms.js';
import { countTermUse, type Dataset, type DatasetFile } from '../../dataset.js';
import { NOT_A_DATE, eventTimes, publicationDates, readClock, readDate, type DateBase } from '../../dates.js';
import type {
  FriendlyCategory,
  FriendlyEvent,
  FriendlyFile,
  FriendlyMedium,
  FriendlyOrganizer,
  FriendlyUser,
  FriendlyVenue,
} from './declaration.js';
import { siteOptions, userDocuments } from './site.js';
import { readUpload, type Upload } from '../../uploads.js';
import { Names, assignIds, type Entry } from './names.js';
import { readPrice } from '../../prices.js';
import type { Problems } from '../../problems.js';

/** One row of meta per value; nothing for what is not given. */
const row = (key: string, ...values: (string | number | undefined)[]): MetaRow[] =>
  values.filter((value) => value !== undefined && value !== '').map((value) => ({ key, value: String(value) }));

/** TEC: flags of maps are always there, `1` or empty. */
const mapFlag = (key: string, shown: boolean | undefined): MetaRow => ({ key, value: (shown ?? true) ? '1' : '' });

const customRows = (meta: Record<string, string | string[]> = {}): MetaRow[] =>
  Object.entries(meta).flatMap(([key, values]) => [values].flat().map((value) => ({ key, value })));

const entriesOf = <T extends { id?: number; slug?: string }>(kind: string, items: readonly T[], name: (item: T) => string): Entry[] =>
  items.map((item, index) => ({ path: `${kind}[${index}]`, id: item.id, slug: item.slug, name: name(item) }));

const fileTitle = (file: string): string => path.posix.basename(file, path.posix.extname(file));

type Item = Partial<Pick<FriendlyVenue, 'author' | 'date' | 'slug' | 'status' | 'password' | 'description' | 'excerpt' | 'meta'>>;

interface Kind<T> {
  items: readonly T[];
  entries: Entry[];
  ids: number[];
  names: Names;
}

/** Turns a checked file of the dataset format into documents. Whatever is wrong with its references, dates and files goes to `problems`. */
class Reader {
  private readonly base: DateBase;
  private readonly users: Kind<FriendlyUser>;
  private readonly categories: Kind<FriendlyCategory>;
  private readonly tags: Kind<FriendlyCategory>;
  private readonly media: Kind<FriendlyMedium>;
  private readonly venues: Kind<FriendlyVenue>;
  private readonly organizers: Kind<FriendlyOrganizer>;
  private readonly events: Kind<FriendlyEvent>;

  constructor(
    private readonly file: FriendlyFile,
    now: number,
    private readonly problems: Problems,
  ) {
    this.base = { now, zone: file.site?.timezone || 'UTC' };
    const { users = [], categories = [], tags = [], media = [], venues = [], organizers = [], events = [] } = file;
    const kind = <T>(name: string, items: readonly T[], entries: Entry[], ids: number[]): Kind<T> => ({
      items,
      entries,
      ids,
      names: new Names(name, entries, ids, problems),
    });

    const userEntries = entriesOf<FriendlyUser & { slug?: string }>('users', users, ({ login }) => login);
    this.users = kind('user', users, userEntries, assignIds(userEntries, problems));
    this.checkLogins();

    const [categoryEntries, tagEntries] = [
      entriesOf('categories', categories, ({ name }) => name),
      entriesOf('tags', tags, ({ name }) => name),
    ];
    const termIds = assignIds([...categoryEntries, ...tagEntries], problems);
    this.categories = kind('category', categories, categoryEntries, termIds.slice(0, categories.length));
    this.tags = kind('tag', tags, tagEntries, termIds.slice(categories.length));

    const mediaEntries = entriesOf('media', media, ({ file: name, title }) => title || fileTitle(name));
    const venueEntries = entriesOf('venues', venues, ({ name }) => name);
    const organizerEntries = entriesOf('organizers', organizers, ({ name }) => name);
    const eventEntries = entriesOf('events', events, ({ title }) => title);
    const postIds = assignIds([...mediaEntries, ...venueEntries, ...organizerEntries, ...eventEntries], problems);
    const next = (count: number): number[] => postIds.splice(0, count);
    this.media = kind('image', media, mediaEntries, next(media.length));
    this.venues = kind('venue', venues, venueEntries, next(venues.length));
    this.organizers = kind('organizer', organizers, organizerEntries, next(organizers.length));
    this.events = kind('event', events, eventEntries, next(events.length));
  }

  async read(folder: string): Promise<Dataset> {
    const uploads = await this.uploads(path.join(folder, 'uploads'));
    const posts = [...this.attachments(uploads), ...this.venuePosts(), ...this.organizerPosts(), ...this.eventPosts()];
    const terms = this.terms(posts);
    return {
      posts,
      terms,
      users: await userDocuments(this.users.items, this.users.ids, this.users.names.slugs, this.base.now),
      options: siteOptions(this.file.site),
      nextIds: { posts: after(posts), terms: after(terms) },
      clock: this.file.clock === undefined ? null : readClock(this.file.clock),
      siteUrl: '',
      files: uploads.flatMap((upload): DatasetFile[] => (upload ? [upload.file] : [])),
    };
  }

  private checkLogins(): void {
    const logins = this.users.items.map(({ login }) => login.toLowerCase());
    logins.forEach((login, index) => {
      const first = logins.indexOf(login);
      if (first < index) this.problems.add(`users[${index}].login`, `"${login}" is the login of users[${first}]`);
    });
  }

  /** WP: what nobody is named for belongs to the administrator; on a site without users of its own that is user 1. */
  private author(login: string | undefined, at: string): number {
    const { items, ids } = this.users;
    if (login === undefined) {
      const administrator = items.findIndex(({ role }) => role === 'administrator');
      return ids[Math.max(0, administrator)] ?? 1;
    }
    const index = items.findIndex((user) => user.login.toLowerCase() === login.toLowerCase());
    if (index < 0) this.problems.add(`${at}.author`, `there is no user with the login "${login}"`);
    return ids[index] ?? 0;
  }

  private terms(posts: Post[]): Term[] {
    const counts = countTermUse(posts);
    const make = ({ items, entries, ids, names }: Kind<FriendlyCategory>, taxonomy: string, parents: number[]): Term[] =>
      items.map(({ name, description }, index) =>
        deriveTerm({
          _id: ids[index],
          taxonomy,
          name: this.termName(name, `${entries[index].path}.name`),
          slug: names.slugs[index],
          description: saveTermDescription(description ?? ''),
          parent: parents[index] ?? 0,
          termGroup: 0,
          termTaxonomyId: ids[index],
          count: counts.get(ids[index]) ?? 0,
        }),
      );
    return [...make(this.categories, EVENT_CATEGORY, this.parents(this.categories)), ...make(this.tags, TAG, [])];
  }

  private termName(name: string, at: string): string {
    const stored = saveTermName(name);
    if (stored === '') this.problems.add(at, `"${name}" has no text`);
    return stored;
  }

  /** Ids of the parents, 0 for none; a circle is a problem. */
  private parents({
    items,
    entries,
    ids,
    names,
  }: {
    items: readonly { parent?: string }[];
    entries: Entry[];
    ids: number[];
    names: Names;
  }): number[] {
    const parents = items.map(({ parent }, index) => (parent ? (names.find(parent, `${entries[index].path}.parent`) ?? 0) : 0));
    const parentOf = new Map(ids.map((id, index) => [id, parents[index]]));
    ids.forEach((id, index) => {
      const seen = new Set<number>();
      let at = parentOf.get(id) ?? 0;
      while (at !== 0 && at !== id && !seen.has(at)) {
        seen.add(at);
        at = parentOf.get(at) ?? 0;
      }
      if (at === id) this.problems.add(`${entries[index].path}.parent`, `"${items[index].parent}" leads back to the item itself`);
    });
    return parents;
  }

  private async uploads(folder: string): Promise<(Upload | null)[]> {
    const names = this.media.items.map(({ file }) => path.posix.normalize(file));
    const uploads = await Promise.all(names.map((name) => readUpload(folder, name)));
    return uploads.map((upload, index) => {
      const first = names.indexOf(names[index]);
      const problem = first < index ? `"${this.media.items[index].file}" is the file of media[${first}]` : upload;
      if (typeof problem !== 'string') return problem;
      this.problems.add(`media[${index}].file`, problem);
      return null;
    });
  }

  /** What all posts share, but for the rows of meta and the terms of each type. */
  private post(kind: Kind<Item>, index: number, type: string, title: string): Omit<Post, 'meta' | 'terms'> & { custom: MetaRow[] } {
    const item = kind.items[index];
    const at = kind.entries[index].path;
    const dates = this.dates(item.date, `${at}.date`);
    const wanted = item.status ?? 'publish';
    const status = wanted === 'publish' && dates.epoch > this.base.now ? 'future' : wanted;
    const desired = kind.names.slugs[index];
    const trashed = status === 'trash';
    return {
      _id: kind.ids[index],
      type,
      status,
      author: this.author(item.author, at),
      title,
      content: item.description ?? '',
      excerpt: item.excerpt ?? '',
      // WP: a draft has no slug until it is given one. TEC: venues and organizers give it to themselves.
      slug: trashed ? truncateSlug(desired, '__trashed') : type === EVENT && isDraftLike(status) && !item.slug ? '' : desired,
      password: item.password ?? '',
      parent: 0,
      menuOrder: 0,
      date: dates.date,
      dateGmt: isDraftLike(status) ? ZERO_DATE : dates.dateGmt,
      modified: dates.modified,
      modifiedGmt: dates.modifiedGmt,
      custom: [
        ...customRows(item.meta),
        ...(trashed
          ? row('_wp_trash_meta_status', 'publish').concat(row('_wp_trash_meta_time', this.base.now), row('_wp_desired_post_slug', desired))
          : []),
      ],
    };
  }

  private dates(text: string | undefined, at: string) {
    const { now, zone } = this.base;
    const given = text === undefined ? { epoch: now } : readDate(text, this.base);
    if (!given) this.problems.add(at, `"${text}" ${NOT_A_DATE}`);
    const epoch = given?.epoch ?? now;
    const modified = publicationDates(Math.min(epoch, now), zone);
    return { epoch, ...publicationDates(epoch, zone), modified: modified.date, modifiedGmt: modified.dateGmt };
  }

  private thumbnail(image: string | undefined, at: string): MetaRow[] {
    return image ? row('_thumbnail_id', this.media.names.find(image, `${at}.image`)) : [];
  }

  private attachments(uploads: (Upload | null)[]): Post[] {
    return this.media.items.map((medium, index): Post => {
      const { title, alt, caption } = medium;
      const { custom, ...post } = this.post(this.media, index, ATTACHMENT, title ?? fileTitle(medium.file));
      const { mimeType = '', file } = uploads[index] ?? {};
      return derive({
        ...post,
        status: 'inherit',
        excerpt: caption ?? '',
        mimeType,
        file: file?.target ?? medium.file,
        image: null,
        meta: [...row('_wp_attachment_image_alt', alt), ...custom],
        terms: {},
      });
    });
  }

  private venuePosts(): Post[] {
    return this.venues.items.map((venue, index): Post => {
      const { custom, ...post } = this.post(this.venues, index, VENUE, venue.name);
      const [map, link] = [venue.show_map, venue.show_map_link];
      const meta = [
        ...row('_VenueOrigin', 'events-calendar'),
        mapFlag('_EventShowMapLink', link),
        mapFlag('_EventShowMap', map),
        mapFlag('_VenueShowMapLink', link),
        mapFlag('_VenueShowMap', map),
        ...this.thumbnail(venue.image, `venues[${index}]`),
        ...row('_VenueAddress', venue.address),
        ...row('_VenueCity', venue.city),
        ...row('_VenueCountry', venue.country),
        ...row('_VenueProvince', venue.province),
        ...row('_VenueState', venue.state),
        ...row('_VenueZip', venue.zip),
        ...row('_VenuePhone', venue.phone),
        ...row('_VenueURL', venue.website),
        ...this.coordinates(venue, `venues[${index}]`),
        { key: '_VenueStateProvince', value: stateProvince(venue) },
        ...custom,
      ];
      return derive({ ...post, meta, terms: {} });
    });
  }

  private coordinates({ lat, lng }: FriendlyVenue, at: string): MetaRow[] {
    if (lat === undefined && lng !== undefined) this.problems.add(`${at}.lat`, 'is missing beside lng');
    if (lng === undefined && lat !== undefined) this.problems.add(`${at}.lng`, 'is missing beside lat');
    return [...row('_VenueLat', lat), ...row('_VenueLng', lng)];
  }

  private organizerPosts(): Post[] {
    return this.organizers.items.map((organizer, index): Post => {
      const { custom, ...post } = this.post(this.organizers, index, ORGANIZER, organizer.name);
      const meta = [
        ...row('_OrganizerOrigin', 'events-calendar'),
        ...this.thumbnail(organizer.image, `organizers[${index}]`),
        ...row('_OrganizerPhone', organizer.phone),
        ...row('_OrganizerWebsite', organizer.website),
        ...row('_OrganizerEmail', organizer.email),
        ...custom,
      ];
      return derive({ ...post, meta, terms: {} });
    });
  }

  private eventPosts(): Post[] {
    const parents = this.parents(this.events);
    return this.events.items.map((event, index): Post => {
      const at = `events[${index}]`;
      const { custom, ...post } = this.post(this.events, index, EVENT, event.title);
      const all = (kind: Names, references: readonly string[] | undefined, field: string): number[] => [
        ...new Set((references ?? []).flatMap((reference, i) => kind.find(reference, `${at}.${field}[${i}]`) ?? [])),
      ];
      const categories = all(this.categories.names, event.categories, 'categories');
      const tags = all(this.tags.names, event.tags, 'tags');
      const meta = [
        ...row('_EventOrigin', 'events-calendar'),
        mapFlag('_EventShowMapLink', event.show_map_link),
        mapFlag('_EventShowMap', event.show_map),
        ...row('_EventVenueID', event.venue ? this.venues.names.find(event.venue, `${at}.venue`) : undefined),
        ...row('_EventOrganizerID', ...all(this.organizers.names, event.organizers, 'organizers')),
        ...this.thumbnail(event.image, at),
        ...this.times(event, at),
        ...priceRows(event),
        ...(event.website === undefined ? [] : [{ key: '_EventURL', value: event.website }]),
        ...(event.hidden ? row('_EventHideFromUpcoming', 'yes') : []),
        ...(event.featured ? row('_tribe_featured', '1') : []),
        // Tickets without a limit to their number.
        ...(event.ticketed ? row('_tribe_ticket_capacity', '-1') : []),
        ...custom,
      ];
      const terms = { ...(categories.length > 0 ? { [EVENT_CATEGORY]: categories } : {}), ...(tags.length > 0 ? { [TAG]: tags } : {}) };
      return derive({ ...post, parent: parents[index], menuOrder: event.sticky ? -1 : 0, meta, terms });
    });
  }

  private times(event: FriendlyEvent, at: string): MetaRow[] {
    const { start, end, duration, timezone } = event;
    const allDay = event.all_day ?? false;
    const times = eventTimes({ start, end, duration, timezone: timezone || undefined, allDay }, this.base);
    if ('message' in times) {
      this.problems.add(`${at}.${times.field}`, times.message);
      return [];
    }
    return [
      ...(allDay ? row('_EventAllDay', 'yes') : []),
      ...row('_EventStartDate', times.start),
      ...row('_EventEndDate', times.end),
      ...row('_EventStartDateUTC', times.startUtc),
      ...row('_EventEndDateUTC', times.endUtc),
      ...row('_EventDuration', times.duration),
      ...row('_EventTimezone', times.timezone),
      ...row('_EventTimezoneAbbr', times.abbr),
    ];
  }
}

const after = (documents: readonly { _id: number }[]): number => documents.reduce((max, { _id }) => Math.max(max, _id), 0) + 1;

/** TEC: the state counts for venues in the United States, or without a country; the province elsewhere. */
function stateProvince({ stateprovince, state, province, country }: FriendlyVenue): string {
  if (stateprovince) return stateprovince;
  return (['', 'US', 'United States'].includes(country ?? '') && state) || province || '';
}

function priceRows({ cost, currency }: FriendlyEvent): MetaRow[] {
  const { values, symbol, code, position } = readPrice(cost, currency);
  return [
    ...row('_EventCurrencySymbol', symbol),
    ...row('_EventCurrencyCode', code),
    ...row('_EventCurrencyPosition', position),
    ...row('_EventCost', ...values),
  ];
}

/**
 * The documents of a checked file of the dataset format.
 * @param folder folder of the file; its media are in `uploads` there
 * @param now the moment that relative dates start from, epoch seconds
 */
export const readDatasetFile = (file: FriendlyFile, folder: string, now: number, problems: Problems): Promise<Dataset> =>
  new Reader(file, now, problems).read(folder);
