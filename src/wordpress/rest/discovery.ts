import { toStr } from '../../base/php/cast.js';
import { mediaSettings } from '../media/client-sizes.js';
import { canWithPosts } from '../users/capabilities.js';
import { describing } from './language.js';
import { argEntry, declaredArgs } from './schema.js';
import { takesCaptures, type Endpoint, type Json, type Namespace, type Route, RestError } from './route.js';
import { routesFor, type MountedRoute } from './table.js';
import type { User } from '../model.js';
import type { Site } from '../site.js';

function endpointEntry(endpoint: Endpoint, site: Site, isIndex: boolean): Json {
  const args = Object.entries(declaredArgs(endpoint, site.quirks))
    .filter(([, { isUnlisted = false }]) => !isIndex || !isUnlisted)
    .map(([name, arg]) => [name, argEntry(arg, site)] as const);
  return {
    methods: [...endpoint.methods],
    ...(endpoint.allowBatch === undefined ? {} : { allow_batch: { v1: endpoint.allowBatch } }),
    args: endpoint.listedArgs ?? (args.length > 0 ? Object.fromEntries(args) : []),
  };
}

/** A route as OPTIONS and both indexes show it. WP: links only where the path holds no capture. */
export function routeIndexEntry(
  { namespace, route }: Pick<MountedRoute, 'namespace' | 'route'>,
  site: Site,
  isIndex = false,
): { [key: string]: Json } {
  return {
    namespace,
    methods: route.endpoints.flatMap(({ methods }) => [...methods]),
    endpoints: route.endpoints.map((endpoint) => endpointEntry(endpoint, site, isIndex)),
    ...(takesCaptures(route.path) ? {} : { _links: { self: [{ href: site.restUrl(route.path) }] } }),
  };
}

const routeEntries = (table: MountedRoute[], site: Site): Record<string, Json> =>
  Object.fromEntries(table.map((mounted) => [mounted.route.path, routeIndexEntry(mounted, site, true)]));

/** `GET /<namespace>`. WP: the `namespace` argument may name another namespace than the one in the path. */
function namespaceIndex(name: string, table: () => MountedRoute[]): Endpoint {
  return {
    methods: ['GET'],
    permission: 'public',
    args: { namespace: { description: '', default: name }, context: { description: '', default: 'view' } },
    handler: ({ request, site }) => {
      const wanted = request.get('namespace');
      const routes = routesFor({ site, request }, table()).filter(({ namespace }) => namespace !== '' && namespace === wanted);
      if (routes.length === 0) throw new RestError('rest_invalid_namespace', 'The specified namespace could not be found.', 404);
      const response = describing(request, {
        namespace: toStr(wanted),
        routes: routeEntries(routes, site),
        _links: { up: [{ href: site.restUrl('/') }] },
      });
      response.keepsLinks = true;
      return response;
    },
  };
}

/** `GET /`: what the site is and every route that it has. */
function rootIndex(table: () => MountedRoute[]): Endpoint {
  return {
    methods: ['GET'],
    permission: 'public',
    args: { context: { description: '', default: 'view' } },
    handler: ({ request, site }) => {
      const all = routesFor({ site, request }, table());
      const response = describing(request, {
        namespaces: [...new Set(all.map(({ namespace }) => namespace))].filter((name) => name !== ''),
        authentication: { 'application-passwords': { endpoints: { authorization: `${site.coreUrl}/wp-admin/authorize-application.php` } } },
        routes: routeEntries(all, site),
        ...mediaSettings({ site, request }),
        site_logo: site.options.front.site_logo,
        site_icon: site.options.front.site_icon,
        site_icon_url: '',
        _links: { help: [{ href: 'https://developer.wordpress.org/rest-api/' }], ...themeLinks(request.user, site) },
      });
      // The name and description of the site are its own.
      response.body = { ...siteFacts(site), ...(response.body as Record<string, Json>) };
      return response;
    },
  };
}

/** WP: users who may edit posts may also read the active theme. That route is declared only. */
function themeLinks(user: User | null, site: Site): Record<string, Json> {
  if (!canWithPosts(user, 'edit') || !site.quirks.has('links-lead-to-refusals')) return {};
  return {
    'wp:active-theme': [{ href: site.restUrl(`/wp/v2/themes/${site.options.stylesheet}`) }],
    curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
  };
}

function siteFacts(site: Site): Record<string, Json> {
  const { options } = site;
  return {
    name: options.name,
    description: options.description,
    url: site.coreUrl,
    home: site.url,
    gmt_offset: options.gmtOffset(site.clock.seconds(), site.zones),
    timezone_string: options.timezoneString,
    page_for_posts: options.front.page_for_posts,
    page_on_front: options.front.page_on_front,
    show_on_front: options.front.show_on_front,
  };
}

/** The namespaces with an index route each, and the index of all before them. WP: the arguments of a namespace index have no description. */
export function withIndexes(namespaces: Namespace[], table: () => MountedRoute[]): Namespace[] {
  const root: Route = { path: '/', endpoints: [rootIndex(table)] };
  return [
    { name: '', routes: [root] },
    ...namespaces.map(({ routes, ...declared }) => ({
      ...declared,
      routes: [{ path: `/${declared.name}`, endpoints: [namespaceIndex(declared.name, table)] }, ...routes],
    })),
  ];
}
