import { RestResponse, RestError, refusal, type Json, type Permission, type Route } from '../../rest/route.js';
import type { EndpointCall } from '../../rest/params.js';
import { canWithPosts } from '../../users/capabilities.js';
import type { QuirkName } from '../../quirks.js';
import type { Site } from '../../site.js';
import * as shared from '../args.js';
import { described, get, route, EVERYWHERE } from '../declare.js';
import { field, schema } from '../registry/schemas.js';
import { lookup } from '../../../base/values/records.js';

import NAMES from '../../formatting/block-parts/icon-names.json' with { type: 'json' };

/** Labels that are more than the words of the name. */
const LABELS: Readonly<Record<string, string>> = lookup({ 'at-symbol': 'At Symbol (@)' });

const labelOf = (name: string): string =>
  LABELS[name] ??
  name
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join(' ');

/** A stand-in for the drawing of WordPress, which is its own artwork: the first letters of the label in a frame. */
function drawing(label: string): string {
  const letters = label
    .split(' ')
    .map(([letter]) => letter)
    .filter((letter) => /\w/.test(letter))
    .join('');
  const text = `<text x="12" y="15" font-size="8" text-anchor="middle">${letters}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h16v16H4zM5 5v14h14V5z"></path>${text}</svg>`;
}

interface IconCollection {
  slug: string;
  label: string;
  description: string;
}

const CORE: IconCollection = { slug: 'core', label: 'WordPress', description: 'Default icon collection.' };

const COLLECTIONS: readonly IconCollection[] = [CORE];

/** An icon that blocks may show. */
interface Icon {
  /** With the collection, such as `core/calendar`. */
  name: string;
  label: string;
  /** SVG. */
  content: string;
  collection: string;
}

/** In order of registration. */
const ICONS: readonly Icon[] = NAMES.map((name) => {
  const label = labelOf(name);
  return { name: `${CORE.slug}/${name}`, label, content: drawing(label), collection: CORE.slug };
});

/** WP: a search is for a part of the name or label, in any case. */
function matchesSearch({ name, label }: Icon, search: string): boolean {
  const wanted = search.toLowerCase();
  return name.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted);
}

const presentIcon = ({ name, label, content, collection }: Icon, hasCollections: boolean): Json => ({
  name,
  label,
  content,
  ...(hasCollections ? { collection } : {}),
});

const WORD = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';
const OLDER_WORD = '[a-z][a-z0-9-]*';

const NO_ICONS = 'no-icons';
const NO_COLLECTIONS = 'no-icon-collections';
const ABSENT: readonly QuirkName[] = [NO_ICONS, NO_COLLECTIONS];

const hasCollections = ({ quirks }: Site): boolean => !quirks.has(NO_COLLECTIONS);

/** WP: users who may write posts of any type. */
const mayView =
  (what: string): Permission =>
  ({ request: { user }, site }) =>
    canWithPosts(user, 'edit') ||
    site.registry.registeredTypes(site.quirks).some((type) => canWithPosts(user, 'edit', type)) ||
    refusal(user, 'rest_cannot_view', `Sorry, you are not allowed to view the registered ${what}.`);

const mayViewIcons = mayView('icons');
const mayViewCollections = mayView('icon collections');

const PAGED = { ...shared.paged(10), search: shared.search };

const COLLECTION = shared.text('Only icons of this collection.', { pattern: '^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$' });

const FILTERS = { ...PAGED, collection: { ...COLLECTION, absentUnder: NO_COLLECTIONS } } as const;
const COLLECTION_FILTERS = { collection: COLLECTION, ...PAGED };
const ICON_ARGS = { name: shared.capturedName('icon'), context: shared.context };
const COLLECTION_ARGS = { slug: shared.text('Slug of the icon collection.', { captured: true }), context: shared.context };

const noCollection = (slug: string): RestError =>
  new RestError('rest_icon_collection_not_found', `Icon collection not found: "${slug}".`, 404);

const findCollection = (slug: string) => COLLECTIONS.find((each) => each.slug === slug);

/** WP: lists are not paged. */
function listIcons({ params, site }: EndpointCall<typeof FILTERS>): RestResponse {
  const { search = '', collection } = params;
  if (collection !== undefined && !findCollection(collection)) throw noCollection(collection);
  const found = ICONS.filter((icon) => matchesSearch(icon, search) && (collection === undefined || icon.collection === collection));
  return new RestResponse(found.map((icon) => presentIcon(icon, hasCollections(site))));
}

function readIcon({ params, site }: EndpointCall<typeof ICON_ARGS>): RestResponse {
  const icon = ICONS.find(({ name }) => name === params.name);
  if (!icon) throw new RestError('rest_icon_not_found', `Icon not found: "${params.name}".`, 404);
  return new RestResponse(presentIcon(icon, hasCollections(site)));
}

const listCollections = (): RestResponse => new RestResponse(COLLECTIONS.map((collection) => ({ ...collection })));

function readCollection({ params }: EndpointCall<typeof COLLECTION_ARGS>): RestResponse {
  const collection = findCollection(params.slug);
  if (!collection) throw noCollection(params.slug);
  return new RestResponse({ ...collection });
}

const texts = (title: string, ...names: string[]): Record<string, Json> =>
  schema(title, Object.fromEntries(names.map((name) => [name, field('string', EVERYWHERE)])));

const ICON_SCHEMA = ({ quirks }: Site): Record<string, Json> =>
  texts('icon', 'name', 'label', 'content', ...(quirks.has(NO_COLLECTIONS) ? [] : ['collection']));
const COLLECTION_SCHEMA = texts('icon-collection', 'slug', 'label', 'description');

const list = { permission: mayViewIcons, handler: listIcons };
const read = get(ICON_ARGS, { permission: mayViewIcons, handler: readIcon });
const readOne = get(COLLECTION_ARGS, { permission: mayViewCollections, handler: readCollection });

const declaredWith = (itemSchema: NonNullable<Route['schema']>, routes: Route[]): Route[] =>
  routes.map((each) => described(each, itemSchema));

/** Routes of the icons that blocks may show, and of their collections. */
export const iconRoutes = (): Route[] => [
  ...declaredWith(ICON_SCHEMA, [
    { ...route('/icons', get(FILTERS, list)), absentUnder: NO_ICONS },
    { ...route(`/icons/(?P<collection>${WORD})`, get(COLLECTION_FILTERS, list)), absentUnder: ABSENT },
    { ...route(`/icons/(?P<name>${WORD}/${WORD})`, read), absentUnder: ABSENT },
    { ...route(`/icons/(?P<name>${OLDER_WORD}/${OLDER_WORD})`, read), absentUnder: NO_ICONS, only: NO_COLLECTIONS },
  ]),
  ...declaredWith(COLLECTION_SCHEMA, [
    { ...route('/icon-collections', get(PAGED, { permission: mayViewCollections, handler: listCollections })), absentUnder: ABSENT },
    { ...route(`/icon-collections/(?P<slug>${WORD})`, readOne), absentUnder: ABSENT },
  ]),
];
