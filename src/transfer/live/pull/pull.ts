import { PLUGINS_OPTION, releaseOption, WORDPRESS } from '../../../wordpress/quirks.js';
import { quirksOf } from '../../../plugins/quirks.js';
import { pluginsDeclaring, pluginsFoundBy, registryWithDefaults, type LoadedContent } from '../../../plugins/register.js';
import { contentsOn } from '../plugins.js';
import type { PulledContent } from './content.js';
import { EVENT } from '../../../plugins/the-events-calendar/model/index.js';
import { CALENDAR } from '../../../plugins/the-events-calendar/quirks/version.js';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { LINKED, LINKED_KINDS, type LinkedKind } from '../../../plugins/the-events-calendar/model/event.js';
import { CALENDAR_OPTION } from '../../../plugins/the-events-calendar/model/options.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { stubsOption } from '../../stubs.js';
import type { Event } from '../../../sdk/types/responses.js';
import type { Comment, Post, Term as StoredTerm } from '../../../wordpress/model.js';
import { ResponseFile, responsesInMemory, type Responses } from './response-file.js';
import { moveComment } from '../../load/links.js';
import { lockOf, type DocumentContext } from './context.js';
import { commentDocument, isOnCopied, termDocument, userDocument } from './term-user.js';
import { CurrencyGuess } from './stored-cost.js';
import { eventPost, linkedPost } from './event.js';
import { Fetcher } from './fetch.js';
import { SiteImages } from './files.js';
import { WpV2Copier } from './wp-v2/copier.js';
import { SiteRoutes } from './wp-v2/site-routes.js';
import { imagePost } from './image.js';
import { movedPost } from './move.js';
import type { LinkedOnSite } from '../items.js';
import { linkedIn, neededOf, TYPES, type CoreComment, type CoreMedium, type CorePost, type CoreUser, type Summary } from './summary.js';
import { SiteSurvey } from './survey.js';
import { SiteClient, routeUrl, type LiveClientOptions, responseProblem } from '../client/client.js';
import { readSettings, type LiveSettings } from '../settings/index.js';
import { readOptions } from '../../../wordpress/options.js';
import { findSite, type LiveSite } from '../client/find.js';
import { copiedCalendar, copiedWordPress, type CalendarSigns, type CopiedRelease, type WordPressSigns } from '../version/copied.js';
import { statedVersion, statedWordPress } from '../version/stated.js';
import { type SourceItem, type DatasetSource, DatasetError } from '../../source.js';
import { membersOf, namesOf } from '../../../base/values/records.js';
import { PRIVATE } from '../../../base/system/private-folder.js';

export interface PullOptions {
  url: string;
  /** Folder for saved progress: the responses and files fetched so far; null: in memory, without files. */
  state: string | null;
  /** Whether to fetch image files. */
  files: boolean;
  /** Requests single items only if they changed at or after this time, UTC `YYYY-MM-DD HH:MM:SS`; null: all. */
  since: string | null;
  /** Ignore saved progress. */
  fresh: boolean;
  /** Whether names and email addresses of attendees are kept. Otherwise they get others. */
  keepsPeople: boolean;
  client: LiveClientOptions;
  notify: (line: string) => void;
  progress: (what: string, done: number, total?: number) => void;
}

/** A fetched site. */
export interface Pulled {
  source: DatasetSource;
  live: LiveSite;
  requests: number;
  /** Differences between the copy and the site, one sentence each; complete after the items have been read. */
  notes: () => string[];
  deleteProgress: () => Promise<void>;
  close: () => Promise<void>;
}

const stateName = ({ url, since, client: { credentials } }: PullOptions): string => {
  const key = createHash('sha256')
    .update(JSON.stringify([url, since, credentials?.login ?? null]))
    .digest('hex')
    .slice(0, 8);
  return `${new URL(url).host.replace(/[^\w.-]/g, '-')}-${key}`;
};

/** Whether the login has access to drafts. @throws DatasetError if the login is rejected */
async function seesDrafts(client: SiteClient, live: LiveSite, notify: PullOptions['notify']): Promise<boolean> {
  if (!client.options.credentials) return false;
  const url = routeUrl(live.root, `${live.namespace}/events`, { status: 'draft', per_page: 1 });
  const response = await client.fetch(url);
  if (response.status === 401 || response.status === 403) throw new DatasetError(url, [responseProblem(response)]);
  if (response.status !== 200) notify('This login has no access to drafts and private items: they are omitted.');
  return response.status === 200;
}

/** The key of the settings among the saved responses. */
const SETTINGS_KEY = 'settings';

/** An id that no post has. */
const NOWHERE = 999_999_999;

async function wordpressSigns({ client, live }: Fetcher): Promise<WordPressSigns> {
  return { stated: await statedWordPress(client, live), routes: live.routes };
}

async function calendarSigns(fetcher: Fetcher): Promise<CalendarSigns> {
  const { client, live } = fetcher;
  const { value: event } = await fetcher.events().next();
  const missing = await client.fetch(routeUrl(live.root, `${live.namespace}/events/${NOWHERE}`));
  return {
    stated: await statedVersion(client, live),
    hasTecV1: live.hasTecV1,
    hasCustomFields: event ? 'custom_fields' in event : null,
    missingEvent: missing.status,
  };
}

/** The releases that a copy of a site behaves like. */
const releasesOf = async (fetcher: Fetcher): Promise<Record<string, CopiedRelease>> => ({
  [WORDPRESS.name]: copiedWordPress(await wordpressSigns(fetcher)),
  [CALENDAR]: copiedCalendar(await calendarSigns(fetcher)),
});

class Pull {
  private readonly core = new Map<number, CorePost>();
  private readonly media = new Map<number, CoreMedium>();
  private readonly site: WpV2Copier;
  private readonly users = new Map<number, CoreUser>();
  private readonly currency = new CurrencyGuess();
  private readonly inexact = { cost: new Set<number>(), image: new Set<number>() };
  files: SiteImages;
  private readonly routes: SiteRoutes;
  private readonly lock = lockOf(randomUUID());
  private readonly ofPlugins: readonly PulledContent[];

  constructor(
    private readonly fetcher: Fetcher,
    private readonly summary: Summary,
    private readonly folder: string,
    private readonly options: Pick<PullOptions, 'files' | 'keepsPeople'>,
    private readonly releases: Readonly<Record<string, CopiedRelease>>,
    private readonly settings: LiveSettings,
    registry: Registry,
    private readonly contents: readonly LoadedContent[],
  ) {
    this.ofPlugins = contents.flatMap((content) => content.pull?.open(fetcher, summary, options) ?? []);
    const names = Object.entries(releases).map(([name, { release }]) => [name, release] as const);
    const copied = readOptions(settings.rows, registry.optionReaders);
    this.site = new WpV2Copier(fetcher, summary, registry, copied, quirksOf('tec', {}, Object.fromEntries(names)), this.lock);
    this.routes = new SiteRoutes(fetcher, registry, copied);
    this.files = new SiteImages(summary.images, folder, '');
  }

  get declarations(): Declarations {
    const { declarations } = this.site;
    const { methods: routes } = this.routes;
    return Object.keys(routes).length === 0 ? declarations : { ...declarations, routes };
  }

  /** Plugins of the copy besides those that every site has. */
  get plugins(): string[] {
    const { namespaces } = this.fetcher.live;
    return [...this.contents.map(({ plugin }) => plugin.name), ...pluginsFoundBy(namespaces), ...pluginsDeclaring(this.declarations)];
  }

  /** Collects what all items need: core posts, media, users, currency and slugs. */
  async prepare(): Promise<void> {
    const { fetcher, summary } = this;
    await this.site.prepare();
    await this.routes.prepare();
    this.files = new SiteImages(summary.images, this.folder, this.site.uploadsUrl);
    for await (const user of fetcher.users()) this.users.set(user.id, user);
    for (const kind of namesOf(TYPES)) for await (const post of fetcher.corePosts(kind)) this.core.set(post.id, neededOf(post));
    for (const post of this.site.pastEvents) this.core.set(post.id, post);
    const hidden = [...summary.images.keys()].filter((id) => !this.site.hasMedium(id));
    for await (const medium of fetcher.media(hidden)) this.media.set(medium.id, medium);
    for (const each of this.ofPlugins) await each.prepare(this.core);
    for await (const event of fetcher.events()) {
      const single = await fetcher.single<Event>('events', event.id);
      this.currency.add(event, single);
      for (const each of this.ofPlugins) each.noteEvent?.(event, single);
    }
    for await (const event of fetcher.unlisted(summary)) for (const each of this.ofPlugins) each.noteEvent?.(event, event);
    for (const taxonomy of ['categories', 'tags'] as const)
      for await (const term of fetcher.terms(taxonomy)) this.site.keepOfCalendar(term.taxonomy, term);
    for (const kind of LINKED_KINDS) for await (const item of fetcher.linked(kind)) this.site.keepOfCalendar(LINKED[kind].type, item);
    for (const { kind, item } of summary.embedded.values()) this.site.keepOfCalendar(LINKED[kind].type, item);
    for await (const event of fetcher.events()) this.keepEvent(event);
    for await (const event of fetcher.unlisted(summary)) this.keepEvent(event);
    this.site.declare();
    await this.site.compare(await registryWithDefaults(this.plugins));
  }

  private keepEvent(event: Event): void {
    this.site.keepOfCalendar(EVENT, event);
    for (const kind of LINKED_KINDS) for (const item of linkedIn(event, kind)) this.site.keepOfCalendar(LINKED[kind].type, item, true);
  }

  notes(): string[] {
    const { cost, image } = this.inexact;
    const file = this.files.missing;
    const many = (count: number, one: string, more: string): string[] =>
      count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${more}`];
    const { unseen } = this.settings;
    return [
      ...Object.values(this.releases).map(({ note }) => note),
      ...(unseen.length === 0
        ? []
        : [
            `The site does not show these settings, which are as on a new site here: ${unseen.join(', ')}. Change them with site.settings.`,
          ]),
      ...many(cost.size, 'event has a cost that is displayed differently here.', 'events have a cost that is displayed differently here.'),
      ...many(
        image.size,
        'image is outside the uploads folder of the site: its URL changes.',
        'images are outside the uploads folder of the site: their URLs change.',
      ),
      ...many(file.size, 'image file could not be fetched.', 'image files could not be fetched.'),
      ...this.ofPlugins.flatMap((each) => each.notes?.() ?? []),
      ...this.site.notes(),
      ...this.routes.notes(),
    ];
  }

  private context(id: number): DocumentContext {
    return {
      summary: this.summary,
      core: this.core,
      currency: this.currency.found,
      uploadsUrl: this.site.uploadsUrl,
      lock: this.lock,
      ofPlugins: this.contents.flatMap((content) => content.pull ?? []),
      note: (what) => this.inexact[what].add(id),
    };
  }

  private async siteOptions(): Promise<Record<string, unknown>> {
    const { live } = this.fetcher;
    const { rows } = this.settings;
    const perPage = await this.fetcher.perPage();
    const { symbol, code, reversePosition } = this.currency.found;
    return {
      ...Object.fromEntries(Object.entries(this.releases).map(([name, { release }]) => [releaseOption(name), release])),
      ...(this.plugins.length > 0 ? { [PLUGINS_OPTION]: this.plugins } : {}),
      ...stubsOption(this.routes.stubs),
      blogname: live.name,
      blogdescription: live.description,
      ...rows,
      ...(perPage === undefined ? {} : { posts_per_page: perPage }),
      [CALENDAR_OPTION]: {
        defaultCurrencySymbol: symbol,
        defaultCurrencyCode: code,
        reverseCurrencyPosition: reversePosition,
        ...membersOf(rows[CALENDAR_OPTION]),
      },
    };
  }

  async *items(): AsyncGenerator<SourceItem> {
    const { fetcher, summary } = this;
    yield { kind: 'options', options: await this.siteOptions() };
    const roles = await fetcher.roles();
    for (const id of await this.copiedUsers())
      if (id > 0) yield { kind: 'user', user: this.site.withFields(userDocument(id, this.users.get(id), roles.get(id)), 'user') };
    for (const taxonomy of ['categories', 'tags'] as const)
      for await (const term of fetcher.terms(taxonomy)) yield { kind: 'term', term: this.movedTerm(termDocument(term, summary)) };
    for await (const term of this.site.terms()) yield { kind: 'term', term: this.movedTerm(term) };
    for await (const post of this.site.posts()) yield { kind: 'post', post: movedPost(post, this.site.move) };
    for (const image of summary.images.values())
      if (!this.site.hasMedium(image.id)) yield this.post(imagePost(image, this.media.get(image.id), this.context(image.id)));
    for (const kind of LINKED_KINDS) for await (const item of fetcher.linked(kind)) yield this.post(await this.linked(kind, item));
    for (const { kind, item } of summary.embedded.values()) yield this.post(await this.linked(kind, item));
    for await (const event of fetcher.events())
      yield this.post(eventPost(event, await fetcher.single('events', event.id), this.context(event.id)));
    for await (const event of fetcher.unlisted(summary)) yield this.post(eventPost(event, event, this.context(event.id)));
    for (const each of this.ofPlugins) for await (const post of each.posts()) yield this.post(post);
    for await (const comment of fetcher.comments())
      if (isOnCopied(comment, summary)) yield { kind: 'comment', comment: this.comment(comment) };
    if (this.options.files) yield* this.files.items();
  }

  /** The users to copy: authors, and the others whom the site lists, unless attendees may be among them who get other names. */
  private async copiedUsers(): Promise<Set<number>> {
    const { fetcher, summary, ofPlugins } = this;
    const wanted = new Set(summary.authors);
    if (ofPlugins.some(({ disguises }) => disguises)) for await (const { author = 0 } of fetcher.comments()) wanted.add(author);
    else for (const id of this.users.keys()) wanted.add(id);
    return wanted;
  }

  private movedTerm(term: StoredTerm): StoredTerm {
    return this.site.withFields({ ...term, description: this.site.move(term.description) }, term.taxonomy);
  }

  private comment(comment: CoreComment): Comment {
    const { site, fetcher } = this;
    return site.withFields(moveComment(commentDocument(comment, fetcher.live.home), site.move), 'comment');
  }

  private post(post: Post): SourceItem {
    return { kind: 'post', post: movedPost(this.site.extended(post), this.site.move) };
  }

  private async linked(kind: LinkedKind, item: LinkedOnSite): Promise<Post> {
    return linkedPost(kind, item, await this.fetcher.single<LinkedOnSite>(LINKED[kind].column, item.id), this.context(item.id));
  }
}

/**
 * Fetches a live WordPress site with The Events Calendar through its public REST API. Progress is saved in the state folder, so an
 * interrupted run can continue.
 * @throws DatasetError if the site cannot be reached, has no calendar, or rejects a request
 */
export async function pull(options: PullOptions): Promise<Pulled> {
  const { url, state, fresh, notify, progress } = options;
  const client = new SiteClient(options.client, url);
  const live = await findSite(client, url);
  const signedIn = await seesDrafts(client, live, notify);
  const base = path.join(state ?? '', stateName(options));
  const file = `${base}.ndjson`;
  const openFile = async (folder: string): Promise<Responses> => {
    await mkdir(folder, PRIVATE);
    if (fresh) await rm(file, { force: true });
    const saved = await ResponseFile.open(file, `understudy pull 1 ${live.root} ${live.namespace} ${signedIn}`);
    if (saved.size > 0) notify(`Continuing an interrupted pull with ${saved.size} saved responses. Use --fresh to ignore them.`);
    return saved;
  };
  const responses = state === null ? responsesInMemory() : await openFile(state);
  try {
    const fetcher = new Fetcher(client, live, responses, { signedIn, since: options.since, notify, progress });
    const summary = await new SiteSurvey(fetcher).all();
    const settings = (await responses.read<LiveSettings>(SETTINGS_KEY)) ?? (await readSettings(client, live));
    await responses.add(SETTINGS_KEY, settings);
    const contents = await contentsOn(live);
    const plugins = [...contents.map(({ plugin }) => plugin.name), ...pluginsFoundBy(live.namespaces)];
    const registry = await registryWithDefaults(plugins);
    const site = new Pull(fetcher, summary, `${base}-files`, options, await releasesOf(fetcher), settings, registry, contents);
    await site.prepare();
    if (options.files) await site.files.fetch(client, progress);
    return {
      live,
      requests: client.requests,
      source: {
        name: url,
        siteUrl: live.home,
        clock: null,
        keepsIds: true,
        ...(site.plugins.length > 0 ? { plugins: site.plugins } : {}),
        declarations: site.declarations,
        items: () => site.items(),
      },
      notes: () => site.notes(),
      deleteProgress: async () => {
        await responses.close();
        await rm(file, { force: true });
        await rm(`${base}-files`, { recursive: true, force: true });
      },
      close: () => responses.close(),
    };
  } catch (error) {
    await responses.close();
    throw error;
  }
}
