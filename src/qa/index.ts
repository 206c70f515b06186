import Router from '@koa/router';
import type { Context } from 'koa';
import type { Site } from '../wp/site.js';

/** What the routes of the test surface can do with a server. */
export interface QaControls {
  site: Site;
  reset: () => Promise<void>;
  namespaces: readonly string[];
  engine: string;
}

interface ClockState {
  now: string;
  frozen: boolean;
}

const clockState = ({ clock }: Site): ClockState => ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen });

class QaError extends Error {}

function readJson(ctx: Context): Record<string, unknown> {
  const text = ((ctx.state.rawBody as Buffer | undefined) ?? Buffer.alloc(0)).toString('utf8');
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the same advice.
  }
  throw new QaError('The body must be a JSON object.');
}

/** `{"now": ISO}` sets, `{"frozen": true|false}` stops or lets run, `{"real": true}` goes back to the time of the machine. */
function setClock({ clock }: Site, { now, frozen, real }: Record<string, unknown>): void {
  const at = typeof now === 'string' ? Date.parse(now) : undefined;
  if (now !== undefined && (at === undefined || Number.isNaN(at)))
    throw new QaError('"now" must be a moment such as "2026-06-15T12:00:00Z".');
  if (frozen !== undefined && typeof frozen !== 'boolean') throw new QaError('"frozen" must be true or false.');
  if (real === true) clock.run({ real: true });
  if (at !== undefined) clock.set(at);
  if (frozen === true) clock.freeze();
  if (frozen === false) clock.run();
}

// Only pages of the site itself may change things: a page elsewhere on the web could otherwise reach a server on this machine.
function refuseForeignOrigin(ctx: Context, site: Site): void {
  const origin = ctx.get('origin');
  if (ctx.method !== 'GET' && origin !== '' && origin !== new URL(site.url).origin) ctx.throw(403, 'This origin may not steer the server.');
}

/** Routes for tests: back to the dataset, the clock, and whether all is well. */
export function qaRouter(controls: QaControls): Router {
  const router = new Router({ prefix: '/__qa' });
  router.use(async (ctx, next) => {
    refuseForeignOrigin(ctx as Context, controls.site);
    try {
      await next();
    } catch (error) {
      if (!(error instanceof QaError)) throw error;
      ctx.status = 400;
      ctx.body = { error: error.message };
    }
  });
  router.post('/reset', async (ctx) => {
    const started = performance.now();
    await controls.reset();
    ctx.body = { reset: true, ms: Math.round((performance.now() - started) * 10) / 10 };
  });
  router.get('/clock', (ctx) => {
    ctx.body = clockState(controls.site);
  });
  router.put('/clock', (ctx) => {
    setClock(controls.site, readJson(ctx as Context));
    ctx.body = clockState(controls.site);
  });
  router.get('/health', async (ctx) => {
    const database = await controls.site.store.ping();
    ctx.status = database ? 200 : 503;
    ctx.body = {
      status: database ? 'ok' : 'no database',
      url: controls.site.url,
      namespaces: controls.namespaces,
      engine: controls.engine,
      clock: clockState(controls.site),
    };
  });
  return router;
}
