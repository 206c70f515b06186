import { lookup, asJson } from '../../base/values/records.js';
import { PRISTINE } from '../../transfer/load/load.js';
import { kindOfPost } from '../../transfer/writing.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS } from '../../plugins/the-events-calendar/model/event.js';
import { withoutDerived } from '../../wordpress/posts/posts.js';
import { json, get, type QaRoute, post, putOrPost, remove } from '../tenant/api/route.js';
import type { ContentChange } from '../../sdk/types/qa.js';
import type { Args } from '../../wordpress/rest/route.js';
import type { Comment, MetaRow, Post, Term, User } from '../../wordpress/model.js';
import type { Snapshots } from '../../database/store/snapshots.js';
import type { Registry } from '../../wordpress/types/registry.js';
import type { Tenant } from '../tenant/tenant.js';
import { packageVersion } from '../../base/system/package-version.js';
import { clockState } from './clock-routes.js';
import { timed } from './timed.js';
import { behavior } from './version-routes.js';
import type { QaHost } from './host.js';

const NAMED = {
  name: {
    type: 'string',
    required: true,
    description: 'Name of the snapshot: up to 64 letters, digits, - and _.',
    validate: (value) =>
      (typeof value === 'string' && /^[\w-]{1,64}$/.test(value) && value !== PRISTINE) || {
        message: `name must be up to 64 letters, digits, - and _. The name ${PRISTINE} is reserved for reset.`,
      },
  },
} satisfies Args;

/** Health, reset and snapshots. */
export const contentRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  get('/__qa/health', {
    summary: 'Get the state of the server',
    handler: async (_params, _request, { site: { url } }) => {
      const database = await tenant.site.store.ping();
      const status = database ? 'ok' : 'no database';
      const body = {
        status,
        understudy: packageVersion(),
        url,
        namespaces: [...host.namespaces],
        engine: host.engine(),
        ...behavior(tenant.site),
        clock: clockState(tenant.site),
      };
      return json(tenant.name === '' ? body : { ...body, sandbox: tenant.name }, database ? 200 : 503);
    },
  }),
  post('/__qa/reset', {
    summary: 'Reset to the dataset: content, users, files, clock and version. Faults and the journal are not changed.',
    // Accepts unknown parameters for backward compatibility.
    open: true,
    body: 'bytes',
    handler: async () => json(await timed(async () => tenant.reset().then(() => ({ reset: true })))),
  }),
  get('/__qa/snapshots', {
    summary: 'List the snapshots',
    handler: async () => json({ snapshots: (await tenant.snapshots()).map((each) => ({ ...each })) }),
  }),
  putOrPost('/__qa/snapshots/(?P<name>[^/]+)', {
    summary: 'Save a snapshot of content, users, files and clock',
    args: NAMED,
    handler: async ({ name }) => json(await timed(async () => tenant.saveSnapshot(name).then(() => ({ saved: name }))), 201),
  }),
  remove('/__qa/snapshots/(?P<name>[^/]+)', {
    summary: 'Delete a snapshot',
    args: NAMED,
    handler: async ({ name }) => tenant.deleteSnapshot(name).then(() => json({ deleted: name })),
  }),
  post('/__qa/snapshots/(?P<name>[^/]+)/restore', {
    summary: 'Restore a snapshot',
    args: NAMED,
    handler: async ({ name }) => json(await timed(async () => tenant.restoreSnapshot(name).then(() => ({ restored: name })))),
  }),
];

const MAX_DESCRIBED = 200;
/** How much of a comment is its title. */
const TITLE = 60;

type Id = number | string;

type Document = Record<string, unknown>;

/** How to describe the documents of a collection. */
interface Described<T> {
  kind: (document: T) => string;
  title: (document: T) => string;
  /** The fields to compare. */
  fields: (document: T, registry: Registry) => Record<string, unknown>;
}

const described = <T>(row: Described<T>): Described<Document> => row as Described<Document>;

/** The fields' names in the API, by meta key. */
const FIELD_OF_KEY: ReadonlyMap<string, string> = new Map(
  [EVENT_FIELDS, ...LINKED_KINDS.map((kind) => LINKED[kind].fields)].flatMap((fields) =>
    Object.entries(fields).map(([name, { key }]) => [key, name] as const),
  ),
);

function metaFields(meta: readonly MetaRow[]): Record<string, unknown> {
  const fields: Record<string, unknown[]> = {};
  for (const { key, value } of meta) (fields[FIELD_OF_KEY.get(key) ?? key] ??= []).push(value);
  return fields;
}

function postFields(stored: Post, registry: Registry): Record<string, unknown> {
  const { _id, version: _version, meta, terms, ...fields } = withoutDerived(stored, registry);
  return { ...fields, ...terms, ...metaFields(meta) };
}

/** The collections to compare, and their fields, without counts of terms and the like, which follow from posts. */
const COLLECTIONS: Readonly<Record<string, Described<Document>>> = lookup({
  posts: described<Post>({ kind: kindOfPost, title: ({ title }) => title, fields: postFields }),
  terms: described<Term>({
    kind: ({ taxonomy }) => taxonomy,
    title: ({ name }) => name,
    fields: ({ name, slug, description, parent }) => ({ name, slug, description, parent }),
  }),
  comments: described<Comment>({
    kind: () => 'comment',
    title: ({ content }) => content.slice(0, TITLE),
    fields: ({ _id, ...fields }) => ({ ...fields }),
  }),
  users: described<User>({
    kind: () => 'user',
    title: ({ login }) => login,
    fields: ({ login, email, displayName, role, passwordHash }) => ({ login, email, displayName, role, passwordHash }),
  }),
  options: described<Document>({
    kind: () => 'option',
    title: ({ _id }) => String(_id),
    fields: ({ value }) => ({ value }),
  }),
});

const byId = (documents: readonly Document[]): Map<Id, Document> => new Map(documents.map((each) => [each._id as Id, each]));

function changedFields(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

function changeOf(
  id: Id,
  before: Document | undefined,
  after: Document | undefined,
  row: Described<Document>,
  registry: Registry,
): ContentChange | null {
  const shown = after ?? before;
  if (!shown) return null;
  const fields = before && after ? changedFields(row.fields(before, registry), row.fields(after, registry)) : [];
  if (before && after && fields.length === 0) return null;
  const change = !before ? 'added' : !after ? 'deleted' : 'changed';
  return { change, kind: row.kind(shown), id, title: row.title(shown), ...(fields.length > 0 ? { fields } : {}) };
}

async function compared({ site: { store } }: Tenant, source: Snapshots, name: string, collection: string) {
  const { strays, missing } = await store.snapshots.compare(name, collection, source);
  const all = [...new Set([...missing, ...strays])];
  const ids = all.slice(0, MAX_DESCRIBED);
  const [kept, current] = await Promise.all([
    source.documentsOf(name, collection, ids),
    store.db
      .collection<{ _id: Id }>(collection)
      .find({ _id: { $in: ids } })
      .toArray(),
  ]);
  const [before, after] = [byId(kept), byId(current)];
  const changes = ids.flatMap((id) => changeOf(id, before.get(id), after.get(id), COLLECTIONS[collection], store.registry) ?? []);
  return { changes, further: all.length - ids.length };
}

const SINCE = {
  since: {
    type: 'string',
    pattern: '^[\\w-]{1,64}$',
    description: 'Name of a snapshot. Default: the content that a reset restores.',
  },
} satisfies Args;

export const changesRoutes = (tenant: Tenant): QaRoute[] => [
  get('/__qa/changes', {
    summary:
      'List the differences from a snapshot, or from the content that a reset restores: posts, comments, terms, users and options, with their changed fields',
    args: SINCE,
    isLong: true,
    handler: async ({ since }) => {
      if (since !== undefined) await tenant.factsOf(since);
      const { snapshots } = since === undefined ? tenant.pristine.store : tenant.site.store;
      const parts = await Promise.all(Object.keys(COLLECTIONS).map((name) => compared(tenant, snapshots, since ?? PRISTINE, name)));
      const changes = parts.flatMap((part) => part.changes);
      const further = parts.reduce((sum, part) => sum + part.further, 0);
      return json({
        since: since ?? null,
        total: changes.length + further,
        changes: asJson(changes),
      });
    },
  }),
];
