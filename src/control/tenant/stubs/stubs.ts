import { storedStubs } from '../../../transfer/stubs.js';
import { chance, effectProblem, sentence, firstOf, RuleSchedule, type Scheduled } from '../faults/effects.js';
import { matcher, type MatchedRequest, type Matcher } from '../match.js';
import { qaError } from '../api/route.js';
import { asJson, withoutUndefined, type Json } from '../../../base/values/records.js';
import { templateFiller, templateProblem } from '../../../base/text/template.js';
import type { KnownStub, Match, Stub, StubResponse } from '../../../sdk/types/qa.js';

interface Armed extends Scheduled<StubResponse> {
  id: number;
  stub: Stub;
  /** Whether it belongs to the dataset. */
  isOwn: boolean;
  /** Matches what a browser asks before the requests of pages of other origins. */
  preflight: Matcher;
  random: () => number;
  /** Fills templates; null: `{{…}}` is sent as it is. */
  fill: ReturnType<typeof templateFiller> | null;
}

/** A stub that responds to a request. */
export interface TakenStub extends Pick<Armed, 'id' | 'stub' | 'random' | 'fill'> {}

const BASE64 = /^[\w+/-]*={0,2}$/;

/** @throws RestError for an invalid stub, with the member that is wrong; `matcher` finds what is wrong with its match */
function checkStub({ respond: { status = 200, headers = {}, body, bodyBase64 }, delay, template = true }: Stub): void {
  const isBase64 = bodyBase64 === undefined || BASE64.test(bodyBase64);
  const filled = (value: Json): string | undefined => (template ? sentence(templateProblem(value)) : undefined);
  const problems: Record<string, string | undefined> = {
    'respond[body]': body !== undefined && bodyBase64 !== undefined ? '"body" cannot be combined with "bodyBase64".' : filled(body ?? null),
    'respond[bodyBase64]': isBase64 ? undefined : '"bodyBase64" is not base64.',
    'respond[headers]': effectProblem({ status, headers }) ?? filled(headers),
    delay: delay === undefined ? undefined : effectProblem({ delay }),
  };
  const params = withoutUndefined(problems);
  const [first] = Object.values(params);
  if (first !== undefined) throw qaError('invalid_stub', first, 400, { params: asJson(params) });
}

/** A browser says the method and the URL of the request that it is about to send, and nothing of its headers and its body. */
function preflightMatcher({ headers: _headers, body: _body, ...match }: Match): Matcher {
  const isForOptions = [match.method ?? []].flat().some((name) => name.toUpperCase() === 'OPTIONS');
  const matches = matcher(match);
  return (request) => {
    const wanted = request.method === 'OPTIONS' && !isForOptions ? request.header('access-control-request-method') : undefined;
    return wanted === undefined ? ['no preflight'] : matches({ ...request, method: wanted.toUpperCase() });
  };
}

/** @throws RestError for an invalid stub */
function armed(id: number, stub: Stub, isOwn: boolean): Armed {
  checkStub(stub);
  const { match = {}, respond, skip, times, template = true } = stub;
  const schedule = new RuleSchedule({ ...(skip === undefined ? {} : { skip }), ...(times === undefined ? {} : { times }) }, respond, id);
  return {
    id,
    stub,
    isOwn,
    matches: matcher(match),
    preflight: preflightMatcher(match),
    schedule,
    random: chance(id),
    fill: template ? templateFiller() : null,
  };
}

const shown = ({ id, stub, isOwn, schedule: { seen, hits } }: Armed): KnownStub => ({
  id,
  ...stub,
  ...(isOwn ? { dataset: true } : {}),
  seen,
  hits,
});

/** Sorts matching stubs: the first one responds. */
const byRank = (a: Armed, b: Armed): number =>
  (b.stub.priority ?? 0) - (a.stub.priority ?? 0) || Number(a.isOwn) - Number(b.isOwn) || b.id - a.id;

const noStub = (id: number): Error => qaError('no_stub', `Stub ${id} does not exist.`, 404);

/** The stubs of a tenant: the ones that were added, and its content's. */
export class Stubs {
  private ranked: Armed[] = [];
  private lastId = 0;
  private changes = 0;
  /** The stubs of the content, as stored, and the id of the first of them. */
  private stored = '';
  private firstOwn = 1;

  /** @param storedText the stubs of the content */
  constructor(private readonly storedText: () => string) {}

  /** Differs after every change, and after every request that matched a stub. */
  get stamp(): string {
    return [this.changes, ...this.all.map(({ schedule: { seen, hits } }) => `${seen}.${hits}`)].join();
  }

  get size(): number {
    return this.all.length;
  }

  /** Whether a stub looks at the body of requests. */
  get readsBody(): boolean {
    return this.all.some(({ stub }) => stub.match?.body !== undefined);
  }

  /** All stubs. Reads the content's again if another server has changed it. */
  private get all(): readonly Armed[] {
    const stored = this.storedText();
    if (stored !== this.stored) {
      this.stored = stored;
      this.firstOwn = this.lastId + 1;
      this.lastId += storedStubs(stored).length;
      this.restart();
    }
    return this.ranked;
  }

  private set(stubs: readonly Armed[]): void {
    this.ranked = stubs.toSorted(byRank);
    this.changes += 1;
  }

  /** Begins again with the stubs of the content. */
  restart(): void {
    const own = storedStubs(this.stored).flatMap((stub, index) => {
      try {
        return [armed(this.firstOwn + index, stub, true)];
      } catch {
        // A later version wrote the content.
        return [];
      }
    });
    this.set([...this.ranked.filter(({ isOwn }) => !isOwn), ...own]);
  }

  /** @throws RestError for an invalid stub */
  add(stub: Stub): KnownStub {
    const { all } = this;
    const added = armed(this.lastId + 1, stub, false);
    this.lastId = added.id;
    this.set([...all, added]);
    return shown(added);
  }

  /** Starts with the stubs of others, for the same content. They share their counters from then on. */
  copy(other: Stubs): void {
    this.ranked = [...other.all];
    this.lastId = other.lastId;
    this.stored = other.stored;
    this.firstOwn = other.firstOwn;
    this.changes += 1;
  }

  /** Starts with saved stubs, which are as often used as they were. @throws RestError for an invalid stub */
  resume(known: readonly KnownStub[]): void {
    const added = known.map(({ id, seen, hits, ...stub }) => {
      const each = armed(id, stub, false);
      Object.assign(each.schedule, { seen, hits });
      return each;
    });
    const { all } = this;
    this.lastId = Math.max(this.lastId, ...added.map(({ id }) => id));
    this.set([...all, ...added]);
  }

  /** In the order in which they are tried. */
  list(): KnownStub[] {
    return this.all.map(shown);
  }

  /** @throws RestError if it does not exist */
  get(id: number): KnownStub {
    return shown(this.find(id));
  }

  private find(id: number): Armed {
    const found = this.all.find((each) => each.id === id);
    if (!found) throw noStub(id);
    return found;
  }

  /** @throws RestError if it does not exist, or for an invalid stub */
  replace(id: number, stub: Stub): KnownStub {
    const replaced = armed(id, stub, this.find(id).isOwn);
    this.set([...this.all.filter((each) => each.id !== id), replaced]);
    return shown(replaced);
  }

  /** Removes a stub. One of the content comes back with the next reset. @throws RestError if it does not exist */
  remove(id: number): void {
    this.find(id);
    this.set(this.all.filter((each) => each.id !== id));
  }

  /** Removes the stubs that were added. @returns how many there were */
  clear(): number {
    const before = this.all.length;
    this.set(this.all.filter(({ isOwn }) => isOwn));
    return before - this.ranked.length;
  }

  /** The stub that responds to a request, which is counted; null if there is none. */
  take(request: MatchedRequest): TakenStub | null {
    return firstOf<StubResponse, Armed>(this.all, request)?.rule ?? null;
  }

  /** The stub that would respond to a request, which is not counted. */
  responding(request: MatchedRequest): (Stub & { id: number }) | undefined {
    const found = this.all.find(
      ({ schedule, stub, matches }) => !schedule.isOver && schedule.seen >= (stub.skip ?? 0) && matches(request).length === 0,
    );
    return found && { ...found.stub, id: found.id };
  }

  /** Whether a request asks if a page of another origin may send one that a stub responds to. */
  isPreflight(request: MatchedRequest): boolean {
    return this.all.some(({ preflight, schedule }) => !schedule.isOver && preflight(request).length === 0);
  }
}
