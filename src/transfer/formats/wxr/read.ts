import type { Zones } from '../../../base/php/timezone.js';
import { newestZones } from '../../../base/php/zone-data.js';
import { saveTermName } from '../../../wordpress/formatting/sanitize.js';
import { sanitizeTitle } from '../../../wordpress/formatting/slug.js';
import { EVENT_FIELDS } from '../../../plugins/the-events-calendar/model/event.js';
import { ATTACHMENT, ZERO_DATE, type MetaRow, type Post, type Term, type User } from '../../../wordpress/model.js';
import { EVENT } from '../../../plugins/the-events-calendar/model/index.js';
import { deriveTerm } from '../../../wordpress/terms/terms.js';
import { PLUGINS_OPTION } from '../../../wordpress/quirks.js';
import { isUtcOffset } from '../../../wordpress/timezones.js';
import { utcOffsetHours } from '../../dates.js';
import { fieldRows, timeValues, wallTimesOf } from '../../fields.js';
import { Omissions } from '../../writing.js';
import type { InputFile, Open, ReadOptions } from '../format.js';
import { POST_KINDS } from '../../kinds.js';
import { DatasetError } from '../../problems.js';
import type { SourceItem, SourcePlace } from '../../source.js';
import { readComment } from './comments.js';
import { pluginsIn } from './plugins.js';
import { attachmentItems, type ReportProblem } from './attachment.js';
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

/** Converts the records of an export to items. */
class WxrReader {
  private readonly users = new Map<string, number>();
  private readonly terms = new Map<string, number>();
  private readonly termIds = new Set<number>();
  private lastTermId = 0;
  private readonly postLines = new Map<number, number>();
  private readonly pendingTerms: { term: Term; parent: string; at: SourcePlace }[] = [];
  private readonly omissions = new Omissions();
  private readonly types: readonly string[];
  private readonly paths: Readonly<Record<string, string>>;
  /** Types of other plugins that the site does not declare. */
  private readonly undeclared = new Set<string>();

  constructor(
    private readonly input: InputFile,
    private readonly siteUrl: string,
    private readonly siteZone: string,
    private readonly zones: Zones,
    private readonly problems: ReportProblem,
    private readonly declarations: Declarations,
  ) {
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
    if (login === '' || this.users.has(login)) {
      this.problems(login === '' ? 'an author has no login (wp:author_login)' : `duplicate author "${login}"`, this.at(record));
      return;
    }
    const id = number(fields['wp:author_id']) ?? Math.max(0, ...this.users.values()) + 1;
    this.users.set(login, id);
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
    const slug = fields['wp:category_nicename'] ?? fields['wp:tag_slug'] ?? fields['wp:term_slug'] ?? '';
    const name = fields['wp:cat_name'] ?? fields['wp:tag_name'] ?? fields['wp:term_name'] ?? '';
    const description = fields['wp:category_description'] ?? fields['wp:tag_description'] ?? fields['wp:term_description'] ?? '';
    const parent = fields['wp:category_parent'] ?? fields['wp:term_parent'] ?? '';
    if (taxonomy === '' || slug === '') return this.problems('a term needs a taxonomy and a slug', this.at(record));
    const term = this.newTerm(taxonomy, slug, name || slug, description, number(fields['wp:term_id']));
    this.pendingTerms.push({ term, parent, at: this.at(record, `${taxonomy} ${slug}`) });
  }

  private newTerm(taxonomy: string, slug: string, name: string, description: string, wanted?: number): Term {
    const isFree = wanted !== undefined && wanted > 0 && !this.termIds.has(wanted);
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
      if (id === undefined) this.problems(`there is no parent term with the slug "${parent}"`, at);
      yield { kind: 'term', term: { ...term, parent: id ?? 0 }, at };
    }
  }

  private *post(record: WxrRecord): Iterable<SourceItem> {
    const { fields } = record;
    const type = fields['wp:post_type']?.trim() ?? '';
    const status = fields['wp:status']?.trim() || 'publish';
    if (type !== '' && !this.types.includes(type)) return this.omit(type);
    if (status === 'auto-draft') return this.omissions.add('draft that was never saved');
    const at = this.at(record, `${type} "${(fields['title'] ?? '').slice(0, 60)}"`);
    const id = number(fields['wp:post_id']);
    const dates = this.dates(fields, at);
    if (type === '' || id === undefined || id < 1) this.problems(`the item has no ${type === '' ? 'wp:post_type' : 'wp:post_id'}`, at);
    if (type === '' || id === undefined || id < 1 || !dates) return;
    const first = this.postLines.get(id);
    if (first !== undefined) return this.problems(`duplicate id ${id}, already used on line ${first}`, at);
    this.postLines.set(id, record.line);
    const { items, terms } = this.termsOf(record, at);
    yield* items;
    const meta = readSerializedMeta(record.meta, type, this.declarations);
    const post: Post = {
      _id: id,
      type,
      status,
      author: this.author(fields['dc:creator']?.trim() ?? ''),
      title: fields['title'] ?? '',
      content: fields['content:encoded'] ?? '',
      excerpt: fields['excerpt:encoded'] ?? '',
      slug: fields['wp:post_name'] ?? '',
      password: fields['wp:post_password'] ?? '',
      parent: number(fields['wp:post_parent']) ?? 0,
      menuOrder: number(fields['wp:menu_order']) ?? 0,
      ...dates,
      ...discussionOf(record, type),
      ...(fields['wp:is_sticky'] === '1' ? { sticky: true } : {}),
      ...formatOf(record),
      ...this.guid(fields['guid'] ?? '', { _id: id, type, status, slug: fields['wp:post_name'] ?? '' }),
      meta: type === EVENT ? withTimes(meta, this.siteZone, this.zones) : meta,
      terms,
    };
    if (type === ATTACHMENT) yield* attachmentItems(post, fields['wp:attachment_url'] ?? '', this.input.folder, at, this.problems);
    else yield { kind: 'post', post, at };
    yield* this.comments(record, post, at);
  }

  private omit(type: string): void {
    this.omissions.add(`post of type ${type}`);
    if (!BUILT_IN.has(type)) this.undeclared.add(type);
  }

  private *comments(record: WxrRecord, post: Post, { path }: SourcePlace): Iterable<SourceItem> {
    const users = new Set(this.users.values());
    for (const each of record.comments) {
      const at = { file: this.input.name, line: each.line, ...(path === undefined ? {} : { path }) };
      const comment = readComment(each, post, users);
      if (typeof comment === 'string') this.problems(comment, at);
      else yield { kind: 'comment', comment, at };
    }
  }

  private termsOf(record: WxrRecord, at: SourcePlace): { items: SourceItem[]; terms: Record<string, number[]> } {
    const items: SourceItem[] = [];
    const terms = new Map<string, number[]>();
    for (const { taxonomy, slug, name } of record.categories) {
      if (taxonomy === '' || slug === '' || taxonomy === POST_FORMAT) continue;
      let id = this.terms.get(`${taxonomy} ${slug}`);
      if (id === undefined) {
        // WP: an export of a single post type has no other list of its terms.
        const term = this.newTerm(taxonomy, slug, name || slug, '');
        id = term._id;
        items.push({ kind: 'term', term, at });
      }
      const ids = terms.get(taxonomy);
      if (ids) ids.push(id);
      else terms.set(taxonomy, [id]);
    }
    return { items, terms: Object.fromEntries(terms) };
  }

  private author(login: string): number {
    const id = this.users.get(login);
    if (id === undefined && login !== '') this.omissions.add(`author "${login}" of an item: unknown in this file`);
    return id ?? [...this.users.values()][0] ?? 1;
  }

  /** The identifier of a post, if it differs from the default. */
  private guid(text: string, post: Parameters<typeof usualGuid>[0]): { guid?: string } {
    const usual = usualGuid(post, this.paths);
    const guid = this.siteUrl !== '' && text.startsWith(`${this.siteUrl}/`) ? text.slice(this.siteUrl.length) : usual;
    return guid === usual ? {} : { guid };
  }

  /** WP: exports of older versions have no modification dates. */
  private dates(fields: Record<string, string>, at: SourcePlace): Pick<Post, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'> | undefined {
    const given = (name: string, fallback: string): string => fields[name]?.trim() || fallback;
    const date = given('wp:post_date', ZERO_DATE);
    const dateGmt = given('wp:post_date_gmt', date);
    const dates = { date, dateGmt, modified: given('wp:post_modified', date), modifiedGmt: given('wp:post_modified_gmt', dateGmt) };
    const wrong = Object.entries(dates).find(([, text]) => !WALL.test(text));
    if (wrong) this.problems(`invalid date "${wrong[1]}". Use a date such as 2026-08-01 19:30:00`, at);
    return wrong ? undefined : dates;
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
    // Errors after the head are reported with all others.
    if (Object.keys(head).length === 0) throw new DatasetError(input.name, [{ line: error.line, message: error.message }]);
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
export const openWxr: Open = async (input, { zone, zones = newestZones(), declarations = {}, signal, warn }) => {
  const [{ siteUrl, options }, plugins] = await Promise.all([headOf(input), pluginsIn(input)]);
  if (zone === undefined) warn?.(NO_ZONE);
  return {
    name: input.name,
    siteUrl,
    clock: null,
    keepsIds: true,
    ...(plugins.length > 0 ? { plugins } : {}),
    async *items(problems) {
      const reader = new WxrReader(input, siteUrl, zone ?? 'UTC', zones, problems, declarations);
      yield {
        kind: 'options',
        options: {
          ...options,
          ...(zone === undefined ? {} : zoneOptions(zone)),
          ...(plugins.length > 0 ? { [PLUGINS_OPTION]: plugins } : {}),
        },
      };
      try {
        for await (const record of scanWxr(input, signal)) yield* reader.items(record);
      } catch (error) {
        if (!(error instanceof WxrFormError)) throw error;
        problems(error.message, { file: input.name, line: error.line });
      }
      yield* reader.end(warn);
    },
  };
};
