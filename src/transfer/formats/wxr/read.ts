import type { Report } from '../../load/inventory.js';
import { UTC, type Zones } from '../../../base/php/timezone.js';
import { newestZones } from '../../../base/php/zone-data.js';
import { saveTermName, sanitizeTitle } from '../../../wordpress/formatting/sanitize.js';
import { EVENT_FIELDS } from '../../../plugins/the-events-calendar/model/event.js';
import { Clock } from '../../../wordpress/clock.js';
import {
  ATTACHMENT,
  CATEGORY,
  isDraftLike,
  POST,
  TAG,
  ZERO_DATE,
  type MetaRow,
  type Post,
  type Term,
  type User,
} from '../../../wordpress/model.js';
import { EVENT } from '../../../plugins/the-events-calendar/model/index.js';
import { deriveTerm } from '../../../wordpress/terms/terms.js';
import { PLUGINS_OPTION } from '../../../wordpress/quirks.js';
import { epochOf, isUtcOffset, wallAt, zoneOf } from '../../../wordpress/timezones.js';
import { utcOffsetHours } from '../../dates.js';
import { fieldRows, timeValues, wallTimesOf } from '../../fields.js';
import { Omissions } from '../../writing.js';
import { leaving, type InputFile, type Open, type ReadOptions } from '../format.js';
import { POST_KINDS } from '../../kinds.js';
import { type SourceItem, type SourcePlace, DatasetError } from '../../source.js';
import { idOfComment, readComment } from './comments.js';
import { invalidDate, storedDate } from './dates.js';
import { LARGEST_ID, surveyOf, type Survey } from './survey.js';
import { attachmentItems } from './attachment.js';
import { storedText } from '../dataset/site.js';
import { pathsWith, usualGuid } from './guid.js';
import { readSerializedMeta } from './structured.js';
import { CORE_TYPES, HIDDEN_TYPES } from '../../../wordpress/types/core.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import { WxrFormError, scanWxr, type WxrRecord } from './scan.js';
import { withoutUndefined } from '../../../base/values/records.js';

/** Types of WordPress itself. */
const BUILT_IN: ReadonlySet<string> = new Set([...CORE_TYPES.map(({ name }) => name), ...HIDDEN_TYPES]);

/** Post types that are imported. */
const TYPES: readonly string[] = [...POST_KINDS.keys()];

const WALL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const number = (text: string | undefined): number | undefined => (/^\s*-?\d+\s*$/.test(text ?? '') ? Number(text) : undefined);

/** TEC: adds the computed meta rows of the times of an event, if missing. */
function withTimes(meta: MetaRow[], siteZone: string, zones: Zones): MetaRow[] {
  const times = wallTimesOf({ meta });
  if (!WALL.test(times.start) || !WALL.test(times.end)) return meta;
  const values = timeValues({ ...times, timezone: times.timezone || siteZone, allDay: false }, zones);
  const there = new Set(meta.map(({ key }) => key));
  return [...meta, ...fieldRows(EVENT_FIELDS, values).filter(({ key }) => !there.has(key))];
}

/** WP: the format of a post is a term, such as `post-format-aside`. */
const POST_FORMAT = 'post_format';

function formatOf({ categories }: WxrRecord): Pick<Post, 'format'> {
  const slug = categories.find(({ taxonomy }) => taxonomy === POST_FORMAT)?.slug;
  return slug === undefined ? {} : { format: slug.replace(/^post-format-/, '') };
}

/** Whether comments and pings of a post are open; undefined for the default of its type. */
function discussionOf({ fields }: WxrRecord, type: string): Pick<Post, 'commentStatus' | 'pingStatus'> {
  const { 'wp:comment_status': comments = '', 'wp:ping_status': pings = '' } = fields;
  if (type !== 'post' && comments === 'closed' && pings === 'open') return {};
  return { ...(comments === '' ? {} : { commentStatus: comments }), ...(pings === '' ? {} : { pingStatus: pings }) };
}

/** WP: the category that every site has, and the option with the id of the one for posts without another. */
const UNCATEGORIZED = 'uncategorized';
const DEFAULT_CATEGORY = 'default_category';

/** A site that an export is read for. */
interface Target {
  siteUrl: string;
  zone: string;
  zones: Zones;
  /** Epoch seconds. */
  now: number;
  declarations: Declarations;
}

/** Converts the records of an export to items. WP: whatever its importer takes, and nothing that it leaves out. */
class WxrReader {
  /** Ids by login, in lower case. */
  private readonly users = new Map<string, number>();
  private readonly terms = new Map<string, number>();
  private readonly termIds = new Set<number>();
  /** WP: 1 is the default category. */
  private lastTermId = 1;
  /** Whether the default category is known to be in the content. */
  private hasDefault = false;
  private readonly commentIds = new Set<number>();
  private readonly last: Survey['highest'];
  private readonly postLines = new Map<number, number>();
  private readonly pendingTerms: { term: Term; parent: string; at: SourcePlace }[] = [];
  private readonly omissions = new Omissions();
  private readonly types: readonly string[];
  private readonly paths: Readonly<Record<string, string>>;
  /** Types of other plugins that the site does not declare. */
  private readonly undeclared = new Set<string>();

  /** @param highest the highest ids of the file, after which items without an id get theirs */
  constructor(
    private readonly input: InputFile,
    private readonly target: Target,
    highest: Survey['highest'],
    private readonly leave: Report,
  ) {
    const { declarations } = target;
    this.last = { ...highest };
    this.types = [...TYPES, ...Object.keys(declarations.types ?? {})];
    this.paths = pathsWith(declarations);
  }

  *items(record: WxrRecord): Iterable<SourceItem> {
    if (record.name === 'author') yield* this.user(record);
    if (record.name === 'term') this.term(record);
    if (record.name !== 'item') return;
    yield* this.resolvedTerms();
    yield* this.post(record);
  }

  *end(warn: ReadOptions['warn']): Iterable<SourceItem> {
    yield* this.resolvedTerms();
    this.omissions.report('WordPress export', warn);
    const [first] = this.undeclared;
    if (first !== undefined)
      warn?.(
        `WordPress export: the site has no post type ${[...this.undeclared].join(', ')}. To import such posts, add the file to a site whose dataset declares { "types": { "${first}": … } }`,
      );
  }

  private at(record: WxrRecord, what?: string): SourcePlace {
    return { file: this.input.name, line: record.line, ...(what ? { path: what } : {}) };
  }

  private *user(record: WxrRecord): Iterable<SourceItem> {
    const { fields } = record;
    const login = fields['wp:author_login']?.trim() ?? '';
    if (login === '') return this.leave('an author has no login (wp:author_login)', this.at(record));
    if (this.users.has(login.toLowerCase())) return;
    const ids = [...this.users.values()];
    const wanted = number(fields['wp:author_id']) ?? 0;
    const id = wanted > 0 && wanted <= LARGEST_ID && !ids.includes(wanted) ? wanted : Math.max(0, ...ids) + 1;
    this.users.set(login.toLowerCase(), id);
    const user: User = {
      _id: id,
      login,
      email: fields['wp:author_email'] ?? '',
      displayName: fields['wp:author_display_name'] || login,
      nicename: sanitizeTitle(login) || String(id),
      url: fields['wp:author_url']?.trim() ?? '',
      ...(fields['wp:author_first_name'] ? { firstName: fields['wp:author_first_name'] } : {}),
      ...(fields['wp:author_last_name'] ? { lastName: fields['wp:author_last_name'] } : {}),
      // Exports contain no roles.
      role: 'author',
      applicationPasswords: [],
    };
    yield { kind: 'user', user, at: this.at(record) };
  }

  private term(record: WxrRecord): void {
    const { fields } = record;
    const taxonomy = 'wp:cat_name' in fields ? 'category' : 'wp:tag_slug' in fields ? 'post_tag' : (fields['wp:term_taxonomy'] ?? '');
    const given = fields['wp:category_nicename'] ?? fields['wp:tag_slug'] ?? fields['wp:term_slug'] ?? '';
    const name = fields['wp:cat_name'] ?? fields['wp:tag_name'] ?? fields['wp:term_name'] ?? '';
    const description = fields['wp:category_description'] ?? fields['wp:tag_description'] ?? fields['wp:term_description'] ?? '';
    const parent = sanitizeTitle(fields['wp:category_parent'] ?? fields['wp:term_parent'] ?? '');
    const slug = sanitizeTitle(given) || sanitizeTitle(name);
    if (taxonomy === '' || slug === '') return this.leave('a term needs a taxonomy, and a slug or a name', this.at(record));
    // WP: a category is listed as a term, too, where all taxonomies are exported.
    if (this.terms.has(`${taxonomy} ${slug}`)) return;
    const term = this.newTerm(taxonomy, slug, name || slug, description, number(fields['wp:term_id']));
    this.pendingTerms.push({ term, parent, at: this.at(record, `${taxonomy} ${slug}`) });
  }

  private newTerm(taxonomy: string, slug: string, name: string, description: string, wanted?: number): Term {
    const isFree = wanted !== undefined && wanted > 0 && wanted <= LARGEST_ID && !this.termIds.has(wanted);
    const id = isFree ? wanted : this.lastTermId + 1;
    this.termIds.add(id);
    this.lastTermId = Math.max(this.lastTermId, id);
    this.terms.set(`${taxonomy} ${slug}`, id);
    return deriveTerm({
      _id: id,
      taxonomy,
      name: saveTermName(name) || slug,
      slug,
      description,
      parent: 0,
      termGroup: 0,
      termTaxonomyId: id,
      count: 0,
    });
  }

  /** Yields the terms once all of them are known: a parent is referred to by slug and may come later. */
  private *resolvedTerms(): Iterable<SourceItem> {
    for (const { term, parent, at } of this.pendingTerms.splice(0)) {
      const id = parent === '' ? 0 : this.terms.get(`${term.taxonomy} ${parent}`);
      if (id === undefined) this.omissions.add(`parent "${parent}" of a term: unknown in this file`);
      yield { kind: 'term', term: { ...term, parent: id ?? 0 }, at };
    }
  }

  private *post(record: WxrRecord): Iterable<SourceItem> {
    const { fields } = record;
    const type = fields['wp:post_type']?.trim() ?? '';
    const status = fields['wp:status']?.trim() || (type === ATTACHMENT ? 'inherit' : 'draft');
    if (type !== '' && !this.types.includes(type)) return this.omit(type);
    if (status === 'auto-draft') return this.omissions.add('draft that was never saved');
    const at = this.at(record, `${type} "${(fields['title'] ?? '').slice(0, 60)}"`);
    const wanted = number(fields['wp:post_id']) ?? 0;
    const id = wanted > 0 && wanted <= LARGEST_ID ? wanted : (this.last.posts += 1);
    const [title, content, excerpt] = ['title', 'content:encoded', 'excerpt:encoded'].map((name) => fields[name] ?? '');
    if (type === '') return this.leave('the item has no wp:post_type', at);
    // WP: an item with an id that was imported before is skipped.
    const first = this.postLines.get(id);
    if (first !== undefined) return this.leave(`duplicate id ${id}, already used on line ${first}`, at);
    if ([POST, EVENT].includes(type) && title + content + excerpt === '') return this.leave('title, content and excerpt are empty', at);
    const dates = this.dates(fields, status, at);
    if (!dates) return;
    const { items, terms } = this.termsOf(record, type, at);
    yield* items;
    const { siteUrl: _url, zone, zones, declarations } = this.target;
    const meta = readSerializedMeta(record.meta, type, declarations);
    const hasNoSlug = isDraftLike(status) && POST_KINDS.get(type)?.hasDraftSlugs === false;
    const slug = sanitizeTitle(fields['wp:post_name'] ?? '') || (hasNoSlug ? '' : sanitizeTitle(title) || String(id));
    const post: Post = {
      _id: id,
      type,
      status,
      author: this.author(fields['dc:creator']?.trim() ?? ''),
      title,
      content,
      excerpt,
      slug,
      password: fields['wp:post_password'] ?? '',
      parent: number(fields['wp:post_parent']) ?? 0,
      menuOrder: number(fields['wp:menu_order']) ?? 0,
      ...dates,
      ...discussionOf(record, type),
      ...(fields['wp:is_sticky'] === '1' ? { sticky: true } : {}),
      ...formatOf(record),
      ...this.guid(fields['guid'] ?? '', { _id: id, type, status, slug }),
      meta: type === EVENT ? withTimes(meta, zone, zones) : meta,
      terms,
    };
    if (type !== ATTACHMENT) yield { kind: 'post', post, at };
    else {
      const urls = [fields['wp:attachment_url'] ?? '', fields['guid'] ?? ''].map((url) => url.trim());
      const attachment = [...attachmentItems(post, urls, this.input.folder, at, this.leave)];
      if (attachment.length === 0) return;
      yield* attachment;
    }
    this.postLines.set(id, record.line);
    yield* this.comments(record, post, at);
  }

  private omit(type: string): void {
    this.omissions.add(`post of type ${type}`);
    if (!BUILT_IN.has(type)) this.undeclared.add(type);
  }

  private *comments(record: WxrRecord, post: Post, { path }: SourcePlace): Iterable<SourceItem> {
    const users = new Set(this.users.values());
    const ids = new Map<number, number>();
    for (const each of record.comments) {
      const at = { file: this.input.name, line: each.line, ...(path === undefined ? {} : { path }) };
      const wanted = idOfComment(each);
      if (ids.has(wanted)) {
        this.leave(`duplicate comment ${wanted}`, at);
        continue;
      }
      const own = wanted > 0 && wanted <= LARGEST_ID && !this.commentIds.has(wanted) ? wanted : (this.last.comments += 1);
      const comment = readComment(each, post, users, { own, others: ids });
      if (typeof comment === 'string') this.leave(comment, at);
      else {
        this.commentIds.add(own);
        if (wanted > 0) ids.set(wanted, own);
        yield { kind: 'comment', comment, at };
      }
    }
  }

  private termsOf(record: WxrRecord, type: string, at: SourcePlace): { items: SourceItem[]; terms: Record<string, number[]> } {
    const items: SourceItem[] = [];
    const terms = new Map<string, Set<number>>();
    const add = (taxonomy: string, slug: string, name: string): number => {
      let id = this.terms.get(`${taxonomy} ${slug}`);
      if (id === undefined) {
        // WP: an export of a single post type has no other list of its terms.
        const term = this.newTerm(taxonomy, slug, name || slug, '', slug === UNCATEGORIZED ? 1 : undefined);
        id = term._id;
        items.push({ kind: 'term', term, at });
      }
      terms.set(taxonomy, (terms.get(taxonomy) ?? new Set()).add(id));
      return id;
    };
    for (const { taxonomy: given, slug: nicename, name } of record.categories) {
      // WP: the name of the taxonomy in exports of version 1.0.
      const [taxonomy, slug] = [given === 'tag' ? TAG : given, sanitizeTitle(nicename)];
      if (taxonomy !== '' && slug !== '' && taxonomy !== POST_FORMAT) add(taxonomy, slug, name);
    }
    if (type === POST && !terms.has(CATEGORY)) {
      const id = add(CATEGORY, UNCATEGORIZED, 'Uncategorized');
      if (id !== 1 && !this.hasDefault) items.push({ kind: 'options', options: { [DEFAULT_CATEGORY]: id } });
      this.hasDefault = true;
    }
    return { items, terms: Object.fromEntries(Array.from(terms, ([taxonomy, ids]) => [taxonomy, [...ids]])) };
  }

  private author(login: string): number {
    const id = this.users.get(login.toLowerCase());
    if (id === undefined && login !== '') this.omissions.add(`author "${login}" of an item: unknown in this file`);
    return id ?? [...this.users.values()][0] ?? 1;
  }

  /** The identifier of a post, if it differs from the default. */
  private guid(text: string, post: Parameters<typeof usualGuid>[0]): { guid?: string } {
    const usual = usualGuid(post, this.paths);
    const { siteUrl } = this.target;
    const guid = siteUrl !== '' && text.startsWith(`${siteUrl}/`) ? text.slice(siteUrl.length) : usual;
    return guid === usual ? {} : { guid };
  }

  /** WP: zeros are the time of the import, unless there is the other date; drafts have none in UTC. Exports of older versions have no modification dates. */
  private dates(
    fields: Record<string, string>,
    status: string,
    at: SourcePlace,
  ): Pick<Post, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'> | undefined {
    const { zone: name, zones, now } = this.target;
    const zone = zoneOf(zones, name);
    const moved = (wall: string, from: typeof zone, to: typeof zone): string => wallAt(epochOf(wall, from) ?? now, to);
    const names = ['wp:post_date', 'wp:post_date_gmt', 'wp:post_modified', 'wp:post_modified_gmt'];
    const given = names.map((each) => storedDate(fields[each]));
    const wrong = given.indexOf(undefined);
    if (wrong >= 0) this.leave(invalidDate(fields[names[wrong]]), at);
    if (wrong >= 0) return undefined;
    const [own, ownGmt, changed, changedGmt] = given as string[];
    const date = own || (ownGmt ? moved(ownGmt, UTC, zone) : wallAt(now, zone));
    const dateGmt = ownGmt || (isDraftLike(status) ? ZERO_DATE : moved(date, zone, UTC));
    return { date, dateGmt, modified: changed || date, modifiedGmt: changedGmt || (changed ? moved(changed, zone, UTC) : dateGmt) };
  }
}

/** Reads the URL and options of the site from the head of an export. */
async function headOf(input: InputFile): Promise<{ siteUrl: string; options: Record<string, unknown> }> {
  const head: Record<string, string> = {};
  try {
    for await (const record of scanWxr(input)) {
      if (record.name !== 'channel') break;
      Object.assign(head, record.fields);
    }
  } catch (error) {
    if (!(error instanceof WxrFormError)) throw error;
    throw new DatasetError(input.name, [{ line: error.line, message: error.message }]);
  }
  const siteUrl = (head['wp:base_blog_url'] || head['wp:base_site_url'] || head['link'] || '').trim().replace(/\/+$/, '');
  const options = { blogname: storedText(head['title']), blogdescription: storedText(head['description']) };
  return { siteUrl, options: withoutUndefined(options) };
}

/** WP: a site has either a named time zone or an offset in hours. Exports contain neither. */
const zoneOptions = (zone: string): Record<string, unknown> =>
  isUtcOffset(zone) ? { timezone_string: '', gmt_offset: utcOffsetHours(zone) } : { timezone_string: zone };

const NO_ZONE =
  'WordPress export: the file does not name the time zone of the site, so UTC is used. Use --zone to name it, such as --zone Europe/Berlin';

/**
 * Opens a WordPress export (WXR), with the media in the folder `uploads` next to it.
 * @throws DatasetError if the file is not a WordPress export
 */
export const openWxr: Open = async (input, options) => {
  const { zone, zones = newestZones(), declarations = {}, signal, warn, now } = options;
  const [{ siteUrl, options: settings }, { plugins, highest }] = await Promise.all([headOf(input), surveyOf(input)]);
  if (zone === undefined) warn?.(NO_ZONE);
  return {
    name: input.name,
    siteUrl,
    clock: null,
    keepsIds: true,
    ...(plugins.length > 0 ? { plugins } : {}),
    async *items(problems) {
      const leave = leaving(options, input.name, problems);
      const target = { siteUrl, zone: zone ?? 'UTC', zones, now: new Clock(now).seconds(), declarations };
      const reader = new WxrReader(input, target, highest, leave);
      yield {
        kind: 'options',
        options: {
          ...settings,
          ...(zone === undefined ? {} : zoneOptions(zone)),
          ...(plugins.length > 0 ? { [PLUGINS_OPTION]: plugins } : {}),
        },
      };
      for await (const record of scanWxr(input, (missing, line) => leave(missing, { line }), signal)) yield* reader.items(record);
      yield* reader.end(warn);
    },
  };
};
