import type { Json, Route } from '../../rest/route.js';
import { writableStatuses } from '../args.js';
import table from './route-schemas.json' with { type: 'json' };

/** The schemas of objects whose controllers declare nothing else here, without descriptions, by name. */
const SCHEMAS = new Map<string, Record<string, Json>>(Object.entries(table as unknown as Record<string, Record<string, Json>>));

/** Routes below an object that have no schema, or that of another controller. */
const WITHOUT = /\/(?:lookup|encode|render|themes|export)(?:\/|$)/;

// WP: revisions and autosaves of templates are templates with a parent.
for (const base of ['templates', 'template-parts']) {
  const { properties, ...schema } = SCHEMAS.get(base)!;
  const parent = { type: 'integer', context: ['view', 'edit', 'embed'] };
  for (const below of ['revisions', 'autosaves'])
    SCHEMAS.set(`${base}-${below}`, { ...schema, properties: { ...(properties as Record<string, Json>), parent } });
}

/** The name of the schema of a route, by its path. */
function nameOf(path: string): string {
  if (path.includes('/font-faces')) return 'font-faces';
  const [, base = '', below = ''] = /^\/[\w-]+\/v\d\/([\w-]+)(.*)$/.exec(path) ?? [];
  if (WITHOUT.test(below)) return '';
  const [, kind] = /\/(revisions|autosaves)(?:\/|$)/.exec(below) ?? [];
  if (kind !== undefined) return `${base}-${kind}`;
  return below === '/categories' ? 'block-pattern-categories' : base;
}

const withStatuses = (value: Json, statuses: readonly string[]): Json => {
  if (value === '$statuses') return [...statuses];
  if (Array.isArray(value)) return value.map((each) => withStatuses(each, statuses));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withStatuses(each, statuses)]));
};

/** Routes with the schemas of their objects, where they have none yet. */
export const withListedSchemas = (routes: readonly Route[]): Route[] =>
  routes.map((route) => {
    const schema = route.schema === undefined ? SCHEMAS.get(nameOf(route.path)) : undefined;
    if (!schema) return route;
    return { ...route, schema: ({ registry }) => withStatuses(schema, writableStatuses(registry)) as Record<string, Json> };
  });
