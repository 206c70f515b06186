import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ATTACHMENT, TAG, metaValue, metaValues, type MetaRow, type Post, type Term, type User } from '../../../wp/model.js';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../../tec/index.js';
import { CALENDAR_OPTION } from '../../../wp/options.js';
import { siteZoneText, toUtc } from '../../../wp/timezones.js';
import { LeftOut, termText } from '../../writing.js';
import { ROLES } from './declaration.js';
import type { WriteOptions } from '../format.js';
import { readPrice, type Currency } from '../../prices.js';
import type { DatasetSource } from '../../source.js';
import { collected, putFiles, rowsByKey, type Collected } from '../collected.js';

type Fields = Record<string, unknown>;

/** Without what says nothing. */
const said = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)),
  );

/** Only what is so although it would not be by itself. */
const yes = (value: boolean): true | undefined => value || undefined;
const no = (row: string | undefined): false | undefined => (row === '' || row === '0' ? false : undefined);

/** Rows that are written as fields, or made again when the file is read. */
const COMMON_ROWS = ['_thumbnail_id', '_wp_trash_meta_status', '_wp_trash_meta_time', '_wp_desired_post_slug'];
const KNOWN_ROWS: Readonly<Record<string, ReadonlySet<string>>> = {
  [ATTACHMENT]: new Set([...COMMON_ROWS, '_wp_attachment_image_alt']),
  [VENUE]: new Set([
    ...COMMON_ROWS,
    ...['Origin', 'ShowMap', 'ShowMapLink', 'Address', 'City', 'Country', 'Province', 'State', 'Zip', 'Phone', 'URL', 'Lat', 'Lng'].map(
      (name) => `_Venue${name}`,
    ),
    '_VenueStateProvince',
    '_EventShowMap',
    '_EventShowMapLink',
  ]),
  [ORGANIZER]: new Set([...COMMON_ROWS, ...['Origin', 'Phone', 'Website', 'Email'].map((name) => `_Organizer${name}`)]),
  [EVENT]: new Set([
    ...COMMON_ROWS,
    ...[
      ...['Origin', 'ShowMap', 'ShowMapLink', 'VenueID', 'OrganizerID', 'AllDay', 'StartDate', 'EndDate', 'StartDateUTC', 'EndDateUTC'],
      ...['Duration', 'Timezone', 'TimezoneAbbr', 'CurrencySymbol', 'CurrencyCode', 'CurrencyPosition', 'Cost', 'URL', 'HideFromUpcoming'],
    ].map((name) => `_Event${name}`),
    '_tribe_featured',
  ]),
};

const TICKETS: MetaRow = { key: '_tribe_ticket_capacity', value: '-1' };

class Writer {
  private readonly usersById: Map<number, User>;
  private readonly termsById: Map<number, Term>;
  private readonly postsById: Map<number, Post>;
  private readonly zone: string;
  private readonly owner: number;
  readonly leftOut = new LeftOut();

  constructor(private readonly all: Collected) {
    this.usersById = new Map(all.users.map((user) => [user._id, user]));
    this.termsById = new Map(all.terms.map((term) => [term._id, term]));
    this.postsById = new Map(all.posts.map((post) => [post._id, post]));
    const { timezone_string = 'UTC', gmt_offset } = all.options;
    this.zone = siteZoneText({ timezone_string, gmt_offset });
    this.owner = (all.users.find(({ role }) => role === 'administrator') ?? all.users[0])?._id ?? 1;
  }

  file(clock: number | null): Fields {
    const { users, posts, terms } = this.all;
    const of = (type: string): Post[] => posts.filter((post) => post.type === type);
    for (const { type } of posts) if (!(type in KNOWN_ROWS)) this.leftOut.add(`posts of the type ${type}`);
    for (const { taxonomy } of terms) if (taxonomy !== EVENT_CATEGORY && taxonomy !== TAG) this.leftOut.add(`terms of ${taxonomy}`);
    return said({
      site: this.site(),
      clock: clock === null ? undefined : new Date(clock).toISOString(),
      users: users.flatMap((user) => this.user(user) ?? []),
      categories: terms.filter(({ taxonomy }) => taxonomy === EVENT_CATEGORY).map((term) => this.term(term)),
      tags: terms.filter(({ taxonomy }) => taxonomy === TAG).map((term) => this.term(term)),
      media: of(ATTACHMENT).flatMap((post) => this.medium(post) ?? []),
      venues: of(VENUE).map((post) => this.venue(post)),
      organizers: of(ORGANIZER).map((post) => this.organizer(post)),
      events: of(EVENT).flatMap((post) => this.event(post) ?? []),
    });
  }

  private site(): Fields | undefined {
    const { options } = this.all;
    const calendar = (options[CALENDAR_OPTION] ?? {}) as Fields;
    const position = calendar.reverseCurrencyPosition;
    const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
    const currency = said({
      symbol: text(calendar.defaultCurrencySymbol),
      code: text(calendar.defaultCurrencyCode),
      position: position === undefined ? undefined : position ? 'postfix' : 'prefix',
    });
    const perPage = Number(options.posts_per_page);
    const site = said({
      name: text(options.blogname),
      description: text(options.blogdescription),
      admin_email: text(options.admin_email),
      timezone: options.timezone_string === undefined && options.gmt_offset === undefined ? undefined : this.zone,
      posts_per_page: Number.isInteger(perPage) && perPage > 0 ? perPage : undefined,
      currency: Object.keys(currency).length > 0 ? currency : undefined,
    });
    return Object.keys(site).length > 0 ? site : undefined;
  }

  private user({ _id, login, email, displayName, url, role, passwordHash, applicationPasswords }: User): Fields | null {
    if (!(ROLES as readonly string[]).includes(role)) {
      this.leftOut.add(`user of the role ${role || 'none'}`);
      return null;
    }
    if (passwordHash !== undefined || applicationPasswords.length > 0)
      this.leftOut.add('password of a user, of which only the hash is known');
    return said({ id: _id, login, email, name: displayName === login ? undefined : displayName, url, role });
  }

  private term(term: Term): Fields {
    const { _id, slug, description, parent } = term;
    return said({ id: _id, slug, name: termText(term), description, parent: this.termsById.get(parent)?.slug });
  }

  /** What all posts share. */
  private item(post: Post, title: 'title' | 'name'): Fields {
    const author = post.author === this.owner ? undefined : this.usersById.get(post.author)?.login;
    const image = this.postsById.get(Number(metaValue(post, '_thumbnail_id') ?? 0));
    return {
      id: post._id,
      slug: slugOf(post),
      [title]: post.title,
      author,
      status: post.status === 'publish' ? undefined : post.status,
      date: post.date,
      password: post.password,
      description: post.content,
      excerpt: post.excerpt,
      image: image?.file === undefined ? undefined : slugOf(image),
      meta: this.meta(post),
    };
  }

  private meta(post: Post): Fields | undefined {
    const rows = post.meta.filter((row) => !KNOWN_ROWS[post.type].has(row.key) && !isDeepStrictEqual(row, TICKETS));
    if (rows.length === 0) return undefined;
    return Object.fromEntries(Object.entries(rowsByKey(rows)).map(([key, values]) => [key, values.length === 1 ? values[0] : values]));
  }

  private medium(post: Post): Fields | null {
    if (post.file === undefined) {
      this.leftOut.add('attachment without a file');
      return null;
    }
    const { id, slug, author, date, description } = this.item(post, 'title');
    if (post.meta.some(({ key }) => !KNOWN_ROWS[ATTACHMENT].has(key))) this.leftOut.add('further meta of an attachment');
    const alt = metaValue(post, '_wp_attachment_image_alt');
    return said({ id, slug, author, date, file: originalOf(post), title: post.title, alt, caption: post.excerpt, description });
  }

  private venue(post: Post): Fields {
    const row = (name: string): string | undefined => metaValue(post, `_Venue${name}`);
    const number = (name: string): number | undefined => (row(name) ? Number(row(name)) : undefined);
    const [state, province, stateprovince] = [row('State'), row('Province'), row('StateProvince')];
    const derived = (['', 'US', 'United States'].includes(row('Country') ?? '') && state) || province || '';
    return said({
      ...this.item(post, 'name'),
      address: row('Address'),
      city: row('City'),
      country: row('Country'),
      state,
      province,
      stateprovince: (stateprovince ?? '') === derived ? undefined : stateprovince,
      zip: row('Zip'),
      phone: row('Phone'),
      website: row('URL'),
      lat: number('Lat'),
      lng: number('Lng'),
      show_map: no(row('ShowMap')),
      show_map_link: no(row('ShowMapLink')),
    });
  }

  private organizer(post: Post): Fields {
    const row = (name: string): string | undefined => metaValue(post, `_Organizer${name}`);
    return said({ ...this.item(post, 'name'), phone: row('Phone'), website: row('Website'), email: row('Email') });
  }

  private event(post: Post): Fields | null {
    const row = (name: string): string | undefined => metaValue(post, `_Event${name}`);
    const times = this.times(post);
    const parent = this.postsById.get(post.parent);
    if (!times) {
      this.leftOut.add('event without a start and an end');
      return null;
    }
    const terms = (taxonomy: string): string[] => (post.terms[taxonomy] ?? []).flatMap((id) => this.termsById.get(id)?.slug ?? []);
    // For events an address that is empty is told from none at all.
    const website = row('URL') === '' ? { website: '' } : {};
    const fields = said({
      ...this.item(post, 'title'),
      ...times,
      venue: this.references(post, '_EventVenueID', 'venue')[0],
      organizers: this.references(post, '_EventOrganizerID', 'organizer'),
      categories: terms(EVENT_CATEGORY),
      tags: terms(TAG),
      ...this.price(post),
      website: row('URL'),
      featured: yes(metaValue(post, '_tribe_featured') !== undefined),
      sticky: yes(post.menuOrder === -1),
      hidden: yes(row('HideFromUpcoming') !== undefined),
      ticketed: yes(metaValue(post, TICKETS.key) === TICKETS.value),
      show_map: no(row('ShowMap')),
      show_map_link: no(row('ShowMapLink')),
      parent: parent && slugOf(parent),
    });
    return { ...fields, ...website };
  }

  /** Slugs of the posts that rows of meta name. */
  private references(post: Post, key: string, what: string): string[] {
    const ids = metaValues(post, key).map(Number);
    const found = ids.flatMap((id) => this.postsById.get(id) ?? []);
    if (found.length < ids.filter((id) => id > 0).length) this.leftOut.add(`reference to a ${what} that is not part of it`);
    return found.map(slugOf);
  }

  private times(post: Post): Fields | null {
    const row = (name: string): string => metaValue(post, `_Event${name}`) ?? '';
    const [start, end, timezone] = [row('StartDate'), row('EndDate'), row('Timezone') || this.zone];
    if (start === '' || end === '') return null;
    const zone = timezone === this.zone ? undefined : timezone;
    const isWholeDays = row('AllDay') !== '' && start.endsWith('00:00:00') && end.endsWith('23:59:59');
    if (isWholeDays) return { start: start.slice(0, 10), end: end.slice(0, 10), all_day: true, timezone: zone };
    // An hour that comes twice when clocks change: only the moment itself says which of the two.
    const moment = (wall: string, utc: string): string =>
      utc === '' || toUtc(wall, timezone) === utc ? wall : `${utc.replace(' ', 'T')}Z`;
    return { start: moment(start, row('StartDateUTC')), end: moment(end, row('EndDateUTC')), timezone: zone };
  }

  private price(post: Post): Fields {
    const values = metaValues(post, '_EventCost');
    const position = metaValue(post, '_EventCurrencyPosition');
    const stored = said({
      symbol: metaValue(post, '_EventCurrencySymbol'),
      code: metaValue(post, '_EventCurrencyCode'),
      position: position === 'prefix' || position === 'postfix' ? position : undefined,
    }) as Currency;
    const { values: _, ...seen } = readPrice(values);
    const cost = values.length === 1 ? values[0] : values;
    return { cost, currency: isDeepStrictEqual(said({ ...seen }), stored) ? undefined : stored };
  }
}

/** The slug by which others refer to a post: in the trash it stands aside (WP). */
const slugOf = (post: Post): string => (post.status === 'trash' ? metaValue(post, '_wp_desired_post_slug') : undefined) ?? post.slug;

/** The upload of an attachment; its smaller versions are made again when the file is read. */
const originalOf = ({ file = '', image }: Post): string =>
  image?.original_image === undefined ? file : path.posix.join(path.posix.dirname(file), image.original_image);

/**
 * A site as people write it: references by slug, wall times, nothing that follows from something else. Passwords, posts of other types and
 * settings that the format does not know are left out, which `warn` is told of.
 */
export async function datasetOf(source: DatasetSource, options: WriteOptions): Promise<object> {
  const all = await collected(source);
  const writer = new Writer(all);
  const value = writer.file(source.clock);
  writer.leftOut.tell(options.file === null ? 'The file' : options.file, options.warn);
  const attachments = all.posts.filter(({ type, file }) => type === ATTACHMENT && file !== undefined);
  const uploads = new Set(attachments.map(originalOf));
  const present = new Set(all.files.map(({ target }) => target));
  const absent = [...uploads].filter((file) => !present.has(file));
  if (absent.length > 0)
    options.warn(`${absent.length} × image without its file, such as ${absent[0]}: put it into uploads before this is loaded`);
  await putFiles(
    all.files.filter(({ target }) => uploads.has(target)),
    options,
  );
  return value;
}
