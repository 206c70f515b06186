import type { Arg, Args, Method, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { batched, declaredEndpoint, route, type Action } from '../declare.js';
import * as access from './access.js';
import DATA from './routes.json' with { type: 'json' };

/** Arguments of other routes too, by the names that stand for them in `routes.json`. */
const SHARED = new Map<string, Arg>(
  Object.entries({
    ...shared,
    perPage10: shared.perPage(10),
    perPage100: shared.perPage(100),
    pageSize: shared.pagedOnDemand.per_page,
    viewContext: shared.contextOf('view'),
    search: { ...shared.search, minLength: 1 },
  } as unknown as Record<string, Arg>),
);

/** A route in `routes.json`; `access` is the name of an action. */
interface DeclaredRoute extends Pick<Route, 'absentUnder' | 'only'> {
  path: string;
  /** WP: whether it may be part of a batch request, where the controller says so. */
  allowBatch?: boolean;
  endpoints: readonly { methods: readonly Method[]; access: keyof typeof access; args: Readonly<Record<string, Arg | string>> }[];
}

const ACTIONS = new Map<string, Action<Args>>(Object.entries(access));

const GROUPS = DATA as unknown as Readonly<Record<keyof typeof DATA, readonly DeclaredRoute[]>>;

const argOf = (stated: Arg | string): Arg => (typeof stated === 'string' ? SHARED.get(stated)! : stated);

/** Routes that are only declared, and so respond with 501 to callers with permission. */
export const declaredRoutes = (group: keyof typeof DATA): Route[] =>
  GROUPS[group].map(({ path, endpoints, allowBatch, ...facts }) => {
    const declared = endpoints.map(({ methods, access: name, args }) =>
      declaredEndpoint(methods, Object.fromEntries(Object.entries(args).map(([arg, stated]) => [arg, argOf(stated)])), ACTIONS.get(name)),
    );
    const all = { ...route(path, ...declared), ...facts };
    return allowBatch === undefined ? all : batched(all, allowBatch);
  });
