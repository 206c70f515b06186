import { RestResponse, Resolved, RestError } from '../../src/wordpress/rest/route.js';
import type { Args, CallContext, Endpoint, Json, Namespace, Permission } from '../../src/wordpress/rest/route.js';
import { endpoint } from '../../src/wordpress/rest/params.js';
import { startToy, toyUser, type Toy } from '../support/toy.js';
import type { Profile } from '../../src/wordpress/quirks.js';

/** Names of the functions that a request called, in order. */
export const steps: string[] = [];

const note = (step: string): void => {
  steps.push(step);
};

const isEditor: Permission = ({ request }) => {
  note('permission');
  return request.user?.role === 'editor';
};

const echoed = ['id', 'name', 'size', 'flag', 'free', 'page', 'list'];

/** Responds with the parameters as the handler sees them. */
const echo =
  (handler: string) =>
  ({ request }: CallContext): RestResponse => {
    note('handler');
    const params = echoed.filter((name) => request.get(name) !== undefined).map((name) => [name, request.get(name) as Json]);
    const given = echoed.filter((name) => request.isGiven(name));
    return new RestResponse({ handler, params: Object.fromEntries(params), given, user: request.user?.login ?? null });
  };

const ITEM: Args = { id: { type: 'integer', required: true, description: 'Number of the thing.' } };

const FIELDS: Args = {
  name: {
    type: 'string',
    required: true,
    description: 'Name of the thing.',
    validate: (value) => {
      note('validate');
      return value !== 'bad';
    },
  },
  size: { type: 'integer', required: true, description: 'Size of the thing.' },
  flag: { type: 'boolean', description: 'Whether the thing has a flag.' },
  free: { description: 'Anything.' },
  list: { type: 'array', items: { type: 'integer' }, description: 'Some numbers.' },
};

const TYPED = {
  size: { type: 'integer', default: 3, description: 'Size.' },
  order: { type: 'string', enum: ['asc', 'desc'] as const, default: 'asc', description: 'Order.' },
  names: { type: 'array', items: { type: 'string' }, description: 'Names.' },
  length: {
    type: 'string',
    required: true,
    description: 'How long it takes, in minutes.',
    validate: (value) => {
      note('validate');
      return Number(value) > 0 ? new Resolved({ seconds: Number(value) * 60 }) : false;
    },
  },
} satisfies Args;

/** Arguments that exist only under one profile, or with a quirk. */
const SOMETIMES = {
  always: { type: 'integer', description: 'Always.' },
  standard: { type: 'integer', required: true, description: 'Under `standard`.', only: 'standard' },
  tec: { type: 'integer', description: 'Under `tec`.', only: 'tec' },
  quirk: { type: 'integer', description: 'Where tags are cut.', only: 'only-first-tag-counts' },
} satisfies Args;

const optional = (args: Args): Args => Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, { ...arg, required: false }]));

const get = (handler: Endpoint['handler'], args: Args = {}): Endpoint => ({ methods: ['GET'], permission: 'public', args, handler });

const refuse =
  (...error: ConstructorParameters<typeof RestError>) =>
  (): never => {
    throw new RestError(...error);
  };

export const DEEP: Json = {
  id: 7,
  title: { raw: 'a', rendered: 'b' },
  list: [{ id: 1 }, { id: 2 }],
  numbers: [4, 5, 6],
  nothing: null,
  inner: { deep: { deeper: 1, other: 2 }, shallow: 3 },
  json_ld: { name: 'x', url: 'y' },
  _links: { self: [{ href: 'http://x' }], up: [{ href: 'http://y' }] },
};

/** A namespace with a route for every rule of the framework. */
export const THINGS: Namespace = {
  name: 'toy/v1',
  routes: [
    {
      path: '/toy/v1/things',
      endpoints: [
        get(echo('list'), {
          ...optional(FIELDS),
          page: {
            type: 'integer',
            default: 1,
            description: 'Page.',
            validate: (value) => {
              note('validate');
              return Number(value) > 0;
            },
          },
          none: { default: null, description: 'A default that is none.' },
          moment: { default: (site) => site.nowUtc, description: 'A default of the moment.' },
        }),
        { methods: ['POST'], permission: isEditor, args: FIELDS, handler: echo('create') },
      ],
    },
    {
      path: '/toy/v1/things/(?P<id>\\d+)',
      endpoints: [
        get(echo('read'), ITEM),
        { methods: ['DELETE'], permission: isEditor, args: ITEM, handler: echo('delete') },
        { methods: ['POST', 'PUT', 'PATCH'], permission: isEditor, args: { ...ITEM, ...optional(FIELDS) }, handler: echo('update') },
      ],
    },
    {
      path: '/toy/v1/named/(?P<name>[^/]+)',
      endpoints: [get(echo('named'), { name: { type: 'string', required: true, description: 'Name.' } })],
    },
    { path: '/toy/v1/things/first', endpoints: [get(echo('first'))] },
    { path: '/toy/v1/deep', endpoints: [get(() => new RestResponse(structuredClone(DEEP), 200, { 'X-Total': 3 }))] },
    { path: '/toy/v1/rows', endpoints: [get(() => new RestResponse([structuredClone(DEEP), { id: 8, title: 'text' }, 'scalar']))] },
    {
      path: '/toy/v1/secret',
      endpoints: [get(echo('secret'), {}), { methods: ['PUT'], permission: () => false, args: {}, handler: echo('never') }],
    },
    { path: '/toy/v1/private', endpoints: [{ methods: ['GET'], permission: isEditor, args: {}, handler: echo('private') }] },
    {
      path: '/toy/v1/own-words',
      endpoints: [
        { methods: ['GET'], permission: () => new RestError('toy_closed', 'Closed today.', 418), args: {}, handler: echo('never') },
      ],
    },
    {
      path: '/toy/v1/child',
      endpoints: [
        get(({ site }) => {
          const link = (path: string, embeddable: boolean) => [{ ...(embeddable ? { embeddable } : {}), href: site.restUrl(path) }];
          return new RestResponse({
            id: 9,
            _links: { self: link('/toy/v1/child', false), up: link('/toy/v1/things/5', true), gone: link('/toy/v1/nothing', true) },
          });
        }),
      ],
    },
    { path: '/toy/v1/refused', endpoints: [get(refuse('toy_refused', 'No.', 409, { id: 5 }))] },
    { path: '/toy/v1/statusless', endpoints: [get(refuse('toy_odd', 'Odd.', null))] },
    { path: '/toy/v1/several', endpoints: [get(refuse('toy_several', 'Twice.', 400, {}, [{ status: 400, id: 6 }]))] },
    {
      path: '/toy/v1/broken',
      endpoints: [
        get(() => {
          throw new Error('secret detail');
        }),
      ],
    },
    {
      path: '/toy/v1/checked',
      endpoints: [
        get(echo('checked'), {
          name: {
            type: 'string',
            description: 'Name.',
            validate: () => ({ message: 'Not today.', code: 'toy_not_today', data: { day: 1 } }),
          },
          size: { type: 'integer', description: 'Size.', sanitize: 'raw' },
          free: { type: 'integer', description: 'Free.', sanitize: (value) => `clean ${JSON.stringify(value)}` },
        }),
      ],
    },
    {
      path: '/toy/v1/typed',
      endpoints: [
        endpoint({
          methods: ['GET'],
          permission: 'public',
          args: TYPED,
          handler: ({ params }) => {
            const doubled: number = params.size * 2;
            const order: 'asc' | 'desc' = params.order;
            const { seconds } = params.length;
            return new RestResponse({ doubled, order, seconds, names: params.names?.map((name) => name.toUpperCase()) ?? [] });
          },
        }),
      ],
    },
    {
      path: '/toy/v1/sometimes',
      endpoints: [
        endpoint({
          methods: ['GET'],
          permission: 'public',
          args: SOMETIMES,
          handler: ({ params }) => new RestResponse(JSON.parse(JSON.stringify(params)) as Json),
        }),
      ],
    },
    {
      path: '/toy/v1/text',
      endpoints: [get(() => new RestResponse({ path: 'a/b', text: 'Zoë 😀', ratio: 0.00001, empty: {} }, 201, { Location: 'x' }))],
    },
  ],
};

/** Serves the namespace, with an editor, a subscriber, and a user without application passwords. */
export function useThings(profile?: Profile): () => Toy {
  let toy: Toy | undefined;
  beforeAll(async () => {
    const noPassword = { ...toyUser(4, 'ghost', 'editor'), applicationPasswords: [] };
    toy = await startToy([THINGS], [toyUser(2, 'erin', 'editor'), toyUser(3, 'sam', 'subscriber'), noPassword], profile);
  });
  afterAll(() => toy?.close());
  beforeEach(() => {
    steps.length = 0;
  });
  return () => {
    if (!toy) throw new Error('The toy server has not started.');
    return toy;
  };
}

export const NO_ROUTE = {
  code: 'rest_no_route',
  message: 'No route was found matching the URL and request method.',
  data: { status: 404 },
};

export const JSON_BODY = { 'content-type': 'application/json' };
export const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' };
