import type { Arg, Args, Method, Namespace, Route } from '../../rest/route.js';
import { declaredEndpoint, type Action } from '../declare.js';
import * as shared from '../args.js';
import { withListedSchemas } from './route-schemas.js';
import { EXPORT, NAVIGATION_FALLBACK, URL_DETAILS } from './access.js';

/* Namespaces of editing and administration screens: they have indexes, but their routes are only declared. */

export const namespace = (
  name: string,
  ...routes: [path: string, methods: readonly Method[], args: Args, action?: Action<Args>][]
): Namespace => ({
  name,
  routes: routes.map(([path, methods, args, action]): Route => ({
    path: `/${name}${path}`,
    endpoints: [declaredEndpoint(methods, args, action)],
  })),
});

export const required = (arg: Arg): Arg => ({ ...arg, required: true });

export const blockEditor = (): Namespace => {
  const { name, routes } = namespace(
    'wp-block-editor/v1',
    ['/url-details', ['GET'], { url: required(shared.text('URL of the page.', { format: 'uri' })) }, URL_DETAILS],
    ['/export', ['GET'], {}, EXPORT],
    ['/navigation-fallback', ['GET'], {}, NAVIGATION_FALLBACK],
  );
  return { name, routes: withListedSchemas(routes) };
};
