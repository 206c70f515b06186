import { mapTexts } from '../../../../base/text/template.js';
import { PLUGINS } from '../../../../plugins/index.js';
import type { Stub } from '../../../../sdk/types/qa.js';
import type { Json } from '../../../../base/values/records.js';
import type { Options } from '../../../../wordpress/options.js';
import type { Registry } from '../../../../wordpress/types/registry.js';
import { urlMover } from '../../../load/links.js';
import { toHome } from '../move.js';
import type { Fetcher } from '../fetch.js';

/** How many routes are copied at most, and of which size, in bytes. */
const MOST = 100;
const LARGEST = 256 * 1024;

/** WP: namespaces of WordPress itself, with or without a plugin. */
const OF_WORDPRESS = /^(?:wp\/v\d|oembed\/\d|wp-site-health\/v\d|wp-block-editor\/v\d|wp-abilities\/v\d|batch\/v\d)/;

async function emulated({ plugins }: Registry, namespace: string, registry: Registry): Promise<(name: string) => boolean> {
  const active = PLUGINS.filter(({ name }) => plugins.includes(name));
  const responses = await Promise.all(active.map((plugin) => plugin.loadResponses()));
  const names = active.flatMap((plugin) => plugin.namespaces);
  const all = new Set([namespace, ...names, ...responses.flatMap((each) => each.namespaces(names, registry).map(({ name }) => name))]);
  return (name) => name === '' || OF_WORDPRESS.test(name) || all.has(name);
}

const HERE = '{{site.url}}';

/** A stub for a response. Links to the site become links to the copy, unless braces in its texts have another meaning. */
export function stubFor(path: string, body: Json, move: (text: string) => string): Stub {
  const match = { method: 'GET', path };
  const hasBraces = JSON.stringify(body).includes('{{');
  return hasBraces
    ? { match, respond: { body: mapTexts(body, (text) => text) }, template: false }
    : { match, respond: { body: mapTexts(body, move) } };
}

/** The routes of namespaces that nobody emulates, whose responses visitors see: as stubs. */
export class SiteRoutes {
  readonly stubs: Stub[] = [];
  /** The methods of all of their routes, for the indexes of the copy. */
  readonly methods: Record<string, readonly string[]> = {};
  private readonly left = { captures: new Set<string>(), writing: new Set<string>(), withheld: 0, large: 0, more: 0 };

  constructor(
    private readonly fetcher: Fetcher,
    private readonly registry: Registry,
    private readonly options: Options,
  ) {}

  async prepare(): Promise<void> {
    const { fetcher, registry, left } = this;
    const { live } = fetcher;
    const isEmulated = await emulated(registry, live.namespace, registry);
    const toMain = toHome(live, '', this.options);
    const toHere = urlMover(live.home, HERE);
    for (const [namespace, routes] of live.methods) {
      if (isEmulated(namespace)) continue;
      for (const [path, methods] of Object.entries(routes)) {
        if (!/[(?[\\]/.test(path)) this.methods[path] = methods;
        if (path === `/${namespace}`) continue;
        if (!methods.includes('GET')) left.writing.add(namespace);
        else if (!(path in this.methods)) left.captures.add(namespace);
        else if (this.stubs.length >= MOST) left.more += 1;
        else await this.copy(path, (text) => toHere(toMain(text)));
      }
    }
  }

  private async copy(path: string, move: (text: string) => string): Promise<void> {
    const { status, json } = await this.fetcher.ask<Json>(path.slice(1), {}, { isVisitor: true });
    if (status !== 200) this.left.withheld += 1;
    else if (JSON.stringify(json).length > LARGEST) this.left.large += 1;
    else this.stubs.push(stubFor(path, json, move));
  }

  /** Notes about content that was not copied, one sentence each. */
  notes(): string[] {
    const { captures, writing, withheld, large, more } = this.left;
    const routes = (count: number, which: string, why = ''): string[] =>
      count === 0
        ? []
        : [`${count === 1 ? '1 route' : `${count} routes`} of other plugins${which} ${count === 1 ? 'is' : 'are'} not copied${why}.`];
    return [
      ...(captures.size === 0 ? [] : [`Routes with parameters in their paths are not copied: ${[...captures].join(', ')}.`]),
      ...(writing.size === 0 ? [] : [`Routes that take writes alone are in the index, but have no responses: ${[...writing].join(', ')}.`]),
      ...routes(withheld, ' without a response for visitors'),
      ...routes(large, ` with more than ${LARGEST / 1024} KB`),
      ...routes(more, '', `: ${MOST} are the most`),
    ];
  }
}
