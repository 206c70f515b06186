import { randomUUID, createHmac } from 'node:crypto';
import { glob } from '../../../base/text/glob.js';
import { qaError } from '../api/route.js';
import type * as Qa from '../../../sdk/types/qa.js';
import type { ContentChange } from '../../../wordpress/store.js';
import type { Site } from '../../../wordpress/site.js';
import type { Post, Term } from '../../../wordpress/model.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import { pagesAbove } from '../../../wordpress/posts/posts.js';
import { termUrl, withAncestors } from '../../../wordpress/terms/terms.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { realTime } from '../../../wordpress/clock.js';

/** Wait before the first retry, in ms. Each further one waits twice as long. */
const FIRST_WAIT = 250;

/** The signature of a body: HMAC-SHA256 in hexadecimal. */
const signatureOf = (secret: string, body: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function headersOf({ id, event }: Qa.WebhookDelivery, body: string, secret: string | undefined): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Understudy',
    'X-Understudy-Event': event,
    'X-Understudy-Delivery': id,
    ...(secret === undefined ? {} : { 'X-Understudy-Signature': signatureOf(secret, body) }),
  };
}

/** Why a request failed, for people. */
function reasonOf(error: unknown, timeout: number): string {
  const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `No response within ${timeout} ms.`;
  return cause?.code ?? cause?.message ?? message;
}

async function attempt(
  hook: Required<Pick<Qa.Webhook, 'url' | 'timeout'>>,
  init: RequestInit,
  stop: AbortSignal,
): Promise<Qa.WebhookAttempt> {
  const at = new Date(realTime()).toISOString();
  const started = performance.now();
  const ms = (): number => Math.round(performance.now() - started);
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(hook.timeout)]);
    const { status, body } = await fetch(hook.url, { ...init, method: 'POST', redirect: 'manual', signal });
    await body?.cancel();
    return { at, status, ms: ms() };
  } catch (error) {
    return { at, status: null, error: reasonOf(error, hook.timeout), ms: ms() };
  }
}

const isSuccess = ({ status }: Qa.WebhookAttempt): boolean => status !== null && status >= 200 && status < 300;

/** Whether another attempt may succeed: no response, too many requests, or an error of the receiver. */
const mayRecover = ({ status }: Qa.WebhookAttempt): boolean => status === null || status === 429 || status >= 500;

/**
 * Sends a delivery until it succeeds or fails for good. Its attempts are recorded.
 * @param stop ends it early
 */
async function deliverWebhook(
  delivery: Qa.WebhookDelivery,
  { secret, ...hook }: Required<Pick<Qa.Webhook, 'url' | 'timeout' | 'retries'>> & Pick<Qa.Webhook, 'secret'>,
  stop: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(delivery.body);
  const init = { body, headers: headersOf(delivery, body, secret) };
  for (let retry = 0; ; retry += 1) {
    const made = await attempt(hook, init, stop);
    delivery.attempts.push(made);
    if (isSuccess(made)) {
      delivery.status = 'delivered';
      return;
    }
    if (stop.aborted || retry >= hook.retries || !mayRecover(made)) break;
    await sleep(FIRST_WAIT * 2 ** retry, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
  }
  delivery.status = 'failed';
}

/** An event before it is sent to a webhook. */
type EventBody = Omit<Qa.WebhookBody, 'delivery'>;

/** Merges consecutive changes of the same post or term: the state before the first and after the last. */
function combined(changes: readonly ContentChange[]): ContentChange[] {
  const byItem = new Map<string, ContentChange>();
  for (const change of changes) {
    const key = `${change.kind} ${(change.after ?? change.before)?._id}`;
    const first = byItem.get(key);
    byItem.set(key, first ? ({ ...change, before: first.before } as ContentChange) : change);
  }
  return [...byItem.values()].filter(({ before, after }) => before !== null || after !== null);
}

const statusOf = (item: Post | Term | null): string | undefined => (item && 'status' in item ? item.status : undefined);

function eventOf({ kind, before, after }: ContentChange): Qa.WebhookEvent {
  if (!before) return `${kind}.created`;
  if (!after) return `${kind}.deleted`;
  if (kind === 'term') return 'term.updated';
  const [wasTrashed, isTrashed] = [statusOf(before), statusOf(after)].map((status) => status === 'trash');
  if (wasTrashed === isTrashed) return 'post.updated';
  return isTrashed ? 'post.trashed' : 'post.restored';
}

async function linkOf(item: Post | Term, site: Site): Promise<string> {
  if ('taxonomy' in item) return termUrl(item, await withAncestors(site.store, [item]), site);
  return permalink(item, site, true, await pagesAbove(site.store, [item]));
}

type Described = Pick<Qa.WebhookBody, 'status' | 'slug' | 'link'> & { slug: string; link: string };

async function described(item: Post | Term, site: Site): Promise<Described> {
  const status = statusOf(item);
  return { ...(status === undefined ? {} : { status }), slug: item.slug, link: await linkOf(item, site) };
}

/** The members of the body about the changed item. */
async function changeBody(change: ContentChange, site: Site): Promise<Omit<EventBody, 'time' | 'site' | 'sandbox'>> {
  const { before, after } = change;
  const item = after ?? before;
  if (!item) throw new TypeError('A change has a state before or after it.');
  const previous = before && after ? { previous: await described(before, site) } : {};
  const type = 'taxonomy' in item ? item.taxonomy : item.type;
  return { event: eventOf(change), id: item._id, type, ...(await described(item, site)), ...previous };
}

/** How many finished deliveries are kept. */
const MAX_FINISHED = 500;
/** How many deliveries of a webhook may wait. Further ones fail at once. */
const MAX_PENDING = 1000;
/** After this long, changes outside requests are sent, in ms. */
const HOLD_MS = 50;
/** How long a closing server waits for deliveries, in ms. */
const CLOSE_MS = 2000;

interface Registered {
  hook: Required<Omit<Qa.Webhook, 'secret'>> & { id: number; secret: string | undefined };
  wants: (event: Qa.WebhookEvent) => boolean;
  waiting: Qa.WebhookDelivery[];
  /** Pending deliveries; null if there are none. */
  work: Promise<void> | null;
  stop: AbortController;
}

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw qaError('invalid_webhook', `Invalid URL ${JSON.stringify(text)}. Use an http or https URL.`);
  if (url.username !== '' || url.password !== '')
    throw qaError('invalid_webhook', 'The URL of a webhook has no login and password. Use a "secret", which signs the body.');
}

/** Ends the deliveries that are under way or waiting. */
function cancel(registered: Registered): void {
  registered.stop.abort();
  registered.stop = new AbortController();
  for (const delivery of registered.waiting.splice(0)) delivery.status = 'failed';
}

/** The site whose events are sent. */
interface WebhookSource {
  site: Site;
  /** Name of the sandbox; `''`: the main tenant. */
  name: string;
}

/**
 * The webhooks of a tenant. Each gets the events one by one, in the order of the changes, and a failing one does not delay the others.
 * Requests are not delayed: changes are collected, and sent when the request has ended.
 */
export class Webhooks {
  private registered: Registered[] = [];
  private held: { change: ContentChange; time: number }[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Settles when all events so far are queued. */
  private queued: Promise<void> = Promise.resolve();
  private all: Qa.WebhookDelivery[] = [];
  private lastId = 0;

  constructor(private readonly source: WebhookSource) {}

  private get linkSite(): Site {
    const { site, name } = this.source;
    return name === '' ? site : site.at(`${site.url}/__sandbox/${name}`);
  }

  /** @throws RestError for an invalid URL */
  add({ url, secret, events = ['*'], retries = 4, timeout = 5000, keep = false }: Qa.Webhook): Qa.KnownWebhook {
    checkUrl(url);
    const globs = events.map(glob);
    const registered: Registered = {
      hook: { id: (this.lastId += 1), url, secret, events, retries, timeout, keep },
      wants: (event) => globs.some((each) => each.test(event)),
      waiting: [],
      work: null,
      stop: new AbortController(),
    };
    this.registered.push(registered);
    this.source.site.store.onChange = (change) => this.hold(change);
    return this.known(registered);
  }

  private known({ hook: { secret, ...hook } }: Registered): Qa.KnownWebhook {
    const pending = this.all.filter(({ webhook, status }) => webhook === hook.id && status === 'pending').length;
    return { ...hook, signed: secret !== undefined, pending };
  }

  list(): Qa.KnownWebhook[] {
    return this.registered.map((each) => this.known(each));
  }

  /** Removes a webhook. What it has not received is not sent. @returns whether it existed */
  remove(id: number): boolean {
    const found = this.registered.find(({ hook }) => hook.id === id);
    if (!found) return false;
    cancel(found);
    this.registered = this.registered.filter((each) => each !== found);
    if (this.registered.length === 0) this.source.site.store.onChange = undefined;
    return true;
  }

  /** Removes all webhooks but those to keep, and all deliveries. What is pending is not sent. @returns how many webhooks were removed */
  clear(): number {
    const { registered } = this;
    for (const each of registered) {
      if (each.hook.keep) cancel(each);
      else this.remove(each.hook.id);
    }
    this.held = [];
    this.all = [];
    return registered.length - this.registered.length;
  }

  /** The latest deliveries, the oldest first. */
  deliveries(): Qa.WebhookDelivery[] {
    return this.all.map((each) => ({ ...each, attempts: [...each.attempts] }));
  }

  private hold(change: ContentChange): void {
    this.held.push({ change, time: this.source.site.clock.now() });
    this.timer ??= setTimeout(() => this.release(), HOLD_MS).unref();
  }

  /** Queues the changes so far. Called when a request has ended. */
  release(): void {
    if (this.held.length === 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const { held } = this;
    this.held = [];
    const time = held[0].time;
    this.queue(async () => {
      const bodies: EventBody[] = [];
      for (const change of combined(held.map((each) => each.change)))
        bodies.push({ ...this.context(time), ...(await changeBody(change, this.linkSite)) });
      return bodies;
    });
  }

  /** Queues an event of the content as a whole. */
  report(event: Qa.WebhookEvent): void {
    if (this.registered.length === 0) return;
    this.release();
    const context = this.context(this.source.site.clock.now());
    this.queue(() => Promise.resolve([{ event, ...context }]));
  }

  private context(time: number): Pick<EventBody, 'time' | 'site' | 'sandbox'> {
    const { name } = this.source;
    return { time: new Date(time).toISOString(), site: this.linkSite.url, ...(name === '' ? {} : { sandbox: name }) };
  }

  private queue(bodiesOf: () => Promise<EventBody[]>): void {
    this.queued = this.queued.then(async () => {
      // A reset may have removed items that a link needs, or the database is closed.
      const bodies = await bodiesOf().catch(() => []);
      for (const body of bodies) for (const each of this.registered) if (each.wants(body.event)) this.send(each, body);
    });
  }

  private send(registered: Registered, { event, ...rest }: EventBody): void {
    const { id: webhook, url } = registered.hook;
    const id = randomUUID();
    const delivery: Qa.WebhookDelivery = {
      id,
      webhook,
      url,
      event,
      status: 'pending',
      attempts: [],
      body: { event, delivery: id, ...rest },
    };
    this.all.push(delivery);
    this.trim();
    if (registered.waiting.length >= MAX_PENDING) delivery.status = 'failed';
    else this.enqueue(registered, delivery);
  }

  private trim(): void {
    const finished = this.all.filter(({ status }) => status !== 'pending');
    const gone = new Set(finished.slice(0, Math.max(0, finished.length - MAX_FINISHED)));
    if (gone.size > 0) this.all = this.all.filter((each) => !gone.has(each));
  }

  private enqueue(registered: Registered, delivery: Qa.WebhookDelivery): void {
    registered.waiting.push(delivery);
    registered.work ??= this.work(registered);
  }

  private async work(registered: Registered): Promise<void> {
    const { waiting, hook } = registered;
    for (let next = waiting.shift(); next; next = waiting.shift()) await deliverWebhook(next, hook, registered.stop.signal);
    registered.work = null;
  }

  /** Sends a delivery again, unchanged, after those that are waiting. @throws RestError if it or its webhook is gone */
  redeliver(id: string): Qa.WebhookDelivery {
    const delivery = this.all.find((each) => each.id === id);
    if (!delivery) throw qaError('no_delivery', `Delivery ${id} does not exist. It may have been replaced by newer ones.`, 404);
    const registered = this.registered.find(({ hook }) => hook.id === delivery.webhook);
    if (!registered) throw qaError('no_webhook', `Webhook ${delivery.webhook} does not exist any more.`, 404);
    if (delivery.status === 'pending') throw qaError('delivery_is_pending', `Delivery ${id} is not finished.`, 409);
    delivery.status = 'pending';
    this.enqueue(registered, delivery);
    return { ...delivery, attempts: [...delivery.attempts] };
  }

  counts(): Qa.WebhookCounts {
    const counts = { pending: 0, delivered: 0, failed: 0 };
    for (const { status } of this.all) counts[status] += 1;
    return counts;
  }

  /** Waits until everything is delivered or has failed, but not longer than `timeout` ms. */
  async flush(timeout: number): Promise<Qa.WebhookCounts> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeout)));
    await Promise.race([this.settled(), late]);
    clearTimeout(timer);
    return this.counts();
  }

  private async settled(): Promise<void> {
    this.release();
    await this.queued;
    const works = this.registered.flatMap(({ work }) => work ?? []);
    if (works.length === 0 && this.held.length === 0) return;
    await Promise.all(works);
    return this.settled();
  }

  /** Waits for deliveries for a short time, then ends them. */
  async close(): Promise<void> {
    if (this.registered.length === 0) return;
    await this.flush(CLOSE_MS);
    this.drop();
  }

  drop(): void {
    for (const { hook } of this.registered) this.remove(hook.id);
  }
}
