import type { FaultScenario } from '../../../sdk/types/qa.js';

const OK = 'ok';

/** Scenarios that every server has. Those with chance have seeds, so that they run the same every time. */
export const BUILT_IN: Readonly<Record<string, FaultScenario>> = {
  flaky: {
    description: 'One request in five fails: with 500, with 503, or without a response.',
    faults: [
      { probability: 0.1, seed: 1, effect: { status: 500 } },
      { probability: 0.06, seed: 2, effect: { status: 503 } },
      { probability: 0.06, seed: 3, effect: { drop: 'before' } },
    ],
  },
  'slow-network': {
    description: 'Every response is late, around 0.8 seconds, and arrives at 50 kB per second.',
    faults: [{ seed: 1, effect: { delay: { lognormal: { median: 800, sigma: 0.4 } }, bytesPerSecond: 50_000 } }],
  },
  offline: { description: 'Every connection is dropped.', faults: [{ effect: { drop: 'before' } }] },
  maintenance: { description: 'Maintenance mode: 503 with Retry-After and a page.', faults: [{ profile: 'maintenance' }] },
  'outage-then-recovery': {
    description: 'Three requests fail with 503, two are slow, then all is well.',
    faults: [{ sequence: [{ status: 503 }, { status: 503 }, { status: 503 }, { delay: 2000 }, { delay: 1000 }] }],
  },
  overload: {
    description: 'Responses get slower until requests time out at the gateway (504) and are rejected (503), over and over.',
    faults: [{ sequence: [{ delay: 250 }, { delay: 500 }, { delay: 1000 }, { status: 504 }, { status: 503 }, OK], atEnd: 'repeat' }],
  },
  'rate-limit': {
    description: 'Of seven requests, five pass and two get 429 with Retry-After: 1.',
    faults: [
      {
        sequence: [OK, OK, OK, OK, OK, ...Array.from({ length: 2 }, () => ({ status: 429, headers: { 'Retry-After': '1' } }))],
        atEnd: 'repeat',
      },
    ],
  },
  'broken-responses': {
    description: 'Every other body is cut off: half of it is missing, or the connection ends in the middle.',
    faults: [{ sequence: [{ truncate: true }, OK, { drop: 'mid-body' }, OK], atEnd: 'repeat' }],
  },
  'read-only': {
    description: 'Reads work, writes fail with 500.',
    faults: [{ match: { method: ['POST', 'PUT', 'PATCH', 'DELETE'] }, effect: { status: 500 } }],
  },
  'expired-credentials': {
    description: 'Requests with an Authorization header get 401.',
    faults: [{ match: { headers: { authorization: '*' } }, effect: { status: 401 } }],
  },
};
