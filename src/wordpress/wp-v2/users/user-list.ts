import { isEmpty, toStr } from '../../../base/php/cast.js';
import { lookup } from '../../../base/values/records.js';
import { sanitizeTitle } from '../../formatting/slug.js';
import { foldForSearch } from '../../formatting/accents.js';
import type { Registry } from '../../types/registry.js';
import { can } from '../../users/capabilities.js';
import { capabilitiesOf } from '../../users/roles.js';
import type { User } from '../../model.js';
import type { Site } from '../../site.js';
import type { Store } from '../../store.js';
import { pagingOf } from '../../rest/lists.js';
import type { EndpointCall } from '../../rest/params.js';
import type { userFilters } from './user-args.js';

/** WP: users who have published something are shown to everybody. */
const typesWithAuthors = ({ postTypes }: Registry): string[] => postTypes.map(({ name }) => name);

const published = (types: readonly string[]): object => ({ status: 'publish', type: { $in: [...types] } });

/** Ids of users who have published something. */
const authorsOf = (store: Store, types: readonly string[]): Promise<Set<number>> =>
  store.cache.remember(`authors of ${types.join()}`, async () => new Set<number>(await store.posts.distinct('author', published(types))));

/** Whether somebody has published anything: then everybody may see who they are. */
export const hasPublished = (store: Store, id: number): Promise<boolean> =>
  store.cache.remember(`published by ${id}`, async () => {
    const filter = { author: id, ...published(typesWithAuthors(store.registry)) };
    return (await store.posts.findOne(filter, { projection: { _id: 1 } })) !== null;
  });

type ListCall = EndpointCall<ReturnType<typeof userFilters>>;

type Test = (user: User) => boolean;

const COLUMNS: Record<string, (user: User) => string> = lookup({
  id: ({ _id }) => String(_id),
  username: ({ login }) => login,
  slug: ({ nicename }) => nicename,
  email: ({ email }) => email,
  name: ({ displayName }) => displayName,
  url: ({ url }) => url,
});

/**
 * The columns of a search. WP: email addresses are searched for users who may list users; a text like an address is searched only there.
 */
function searchColumns(text: string, { params, request }: ListCall): string[] {
  const mayList = can(request.user, 'list_users');
  const named = params.search_columns.filter((column) => mayList || column !== 'email');
  if (named.length > 0) return named;
  if (!mayList) return ['id', 'username', 'slug', 'name'];
  if (text.includes('@')) return ['email'];
  if (/^\d+$/.test(text)) return ['username', 'id'];
  return /^https?:\/\//.test(text) ? ['url'] : ['username', 'url', 'email', 'slug', 'name'];
}

function searchTest(context: ListCall): Test[] {
  const text = context.params.search;
  if (!text) return [];
  // WP: asterisks at either end say what holds anyway.
  const wanted = foldForSearch(text.replace(/^\*+|\*+$/g, ''));
  const columns = searchColumns(text, context).map((name) => COLUMNS[name]);
  return [(user) => columns.some((column) => foldForSearch(column(user)).includes(wanted))];
}

/** Whose posts count for the one who asks. WP: who may not list users sees authors only. */
async function authorTest({ params, request, site }: ListCall): Promise<Test[]> {
  const given = params.has_published_posts;
  const types = Array.isArray(given) && given.length > 0 ? given.map(toStr) : typesWithAuthors(site.registry);
  // WP: so does who asks for those that count as authors.
  const seesAll = can(request.user, 'list_users') || params.who === 'authors';
  if (seesAll && isEmpty(given)) return [];
  const authors = await authorsOf(site.store, types);
  return [({ _id }) => authors.has(_id)];
}

function listTest(values: string[], of: (user: User) => string, negated = false): Test[] {
  const wanted = new Set(values);
  return values.length === 0 ? [] : [(user) => wanted.has(of(user)) !== negated];
}

/** WP: who may at least write drafts; who asks for them asks for no roles. */
const isAuthor: Test = ({ role }) => role !== '' && role !== 'subscriber';

/** WP: a requested role is enough instead of the capabilities, and the other way round. */
function rightsTest(roles: string[], capabilities: string[], registry: Registry): Test[] {
  if (roles.length === 0 && capabilities.length === 0) return [];
  return [({ role }) => roles.includes(role) || capabilities.some((name) => capabilitiesOf(role, registry).includes(name))];
}

async function testsOf(context: ListCall): Promise<Test[]> {
  const { include, exclude, slug = [], who, roles = [], capabilities = [] } = context.params;
  const id = ({ _id }: User): string => String(_id);
  return [
    ...listTest(include.map(String), id),
    ...(include.length > 0 ? [] : listTest(exclude.map(String), id, true)),
    ...listTest(
      slug.map((text) => sanitizeTitle(text)),
      ({ nicename }) => nicename,
    ),
    ...(who === 'authors' ? [isAuthor] : rightsTest(roles, capabilities, context.site.registry)),
    ...searchTest(context),
    ...(await authorTest(context)),
  ];
}

const registered = ({ registered: at = 0 }: User): number => at;

type Key = (user: User) => string | number;

function keyOf({ include, orderby, slug = [] }: ListCall['params']): Key {
  // WP: where none is named, the users come by the names with which they sign in.
  const position = (values: string[], of: (user: User) => string): Key =>
    values.length === 0 ? ({ login }) => login : (user) => values.indexOf(of(user));
  switch (orderby) {
    case 'id':
      return ({ _id }) => _id;
    case 'include':
      return position(include.map(String), ({ _id }) => String(_id));
    case 'include_slugs':
      return position(
        slug.map((text) => sanitizeTitle(text)),
        ({ nicename }) => nicename,
      );
    case 'registered_date':
      return registered;
    case 'slug':
      return ({ nicename }) => nicename;
    case 'email':
      return ({ email }) => foldForSearch(email);
    case 'url':
      return ({ url }) => foldForSearch(url);
    case 'name':
      return ({ displayName }) => foldForSearch(displayName);
  }
}

/** WP: in a network of sites, a site has the users with a role there. */
export const isMember = ({ role }: User, { options }: Site): boolean => role !== '' || !options.isInNetwork;

/** The users of a list, all of them, sorted. */
export async function findUsers(context: ListCall): Promise<User[]> {
  const { params, site } = context;
  const { store } = site;
  const all = await store.cache.remember('all users', () => store.users.find({}).sort({ _id: 1 }).toArray(), 'users');
  const tests = await testsOf(context);
  const key = keyOf(params);
  // WP: slugs that are named come in that order, for both directions.
  const isGiven = params.orderby === 'include_slugs' && (params.slug ?? []).length > 0;
  const direction = params.order === 'desc' && !isGiven ? -1 : 1;
  const compare = (a: User, b: User): number => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a._id - b._id);
  return all.filter((user) => isMember(user, site) && tests.every((test) => test(user))).sort((a, b) => direction * compare(a, b));
}

/** The part of some users that a list shows, and where that is. */
export function pageOfUsers(users: User[], params: ListCall['params']): { users: User[]; pages: number; page: number } {
  const { page, perPage, offset, skips } = pagingOf(params);
  return {
    users: users.slice(offset, offset + perPage),
    pages: Math.ceil(users.length / perPage),
    // WP: an offset is converted to a page.
    page: skips ? Math.ceil((params.offset ?? 0) / perPage) + 1 : page,
  };
}
