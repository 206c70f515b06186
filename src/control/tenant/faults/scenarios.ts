import { lookup } from '../../../base/values/records.js';
import type { FaultScenario } from '../../../sdk/types/qa.js';

const OK = 'ok';

/** Requests below the REST root, however it is addressed. */
export const REST = '^/(?:index\\.php/)?wp-json(?:/|$)|[?&]rest_route=';

const page = (title: string, text: string): string =>
  `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body>\n</html>\n`;

const BLOCKED = { status: 403, body: page('403 Forbidden', 'Your request was blocked by the firewall of this site.') };

const JSON_TYPE = { 'Content-Type': 'application/json; charset=UTF-8' };

const NOTICE =
  '<br />\n<b>Notice</b>:  Function _load_textdomain_just_in_time was called <strong>incorrectly</strong>. ' +
  'in <b>/var/www/html/wp-includes/functions.php</b> on line <b>6121</b><br />\n' +
  '<br />\n<b>Deprecated</b>:  Creation of dynamic property Slider::$options is deprecated ' +
  'in <b>/var/www/html/wp-content/plugins/slider/slider.php</b> on line <b>18</b><br />\n';

/** Scenarios that every server has. Those with chance have seeds, so that they run the same every time. */
export const BUILT_IN: Readonly<Record<string, FaultScenario>> = lookup({
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
  'blocks-browsers': {
    description: 'A firewall responds to user agents of browsers with 403 and a page.',
    faults: [{ match: { headers: { 'user-agent': 'Mozilla/*' } }, effect: BLOCKED }],
  },
  'blocks-scripts': {
    description: 'A firewall responds to everything but browsers, by their user agent, with 403 and a page.',
    faults: [{ match: { headers: { 'user-agent': '!Mozilla/*' } }, effect: BLOCKED }],
  },
  'needs-accept-language': {
    description: 'Requests without an Accept-Language header get 406 and a page.',
    faults: [
      {
        match: { headers: { 'accept-language': '!*' } },
        effect: {
          status: 406,
          body: page('Not Acceptable', 'An appropriate representation of the requested resource could not be found.'),
        },
      },
    ],
  },
  'unreachable-origin': {
    description: 'A network in front of the site does not reach it: three requests get 522 and a page, then all is well.',
    faults: [
      {
        sequence: Array.from({ length: 3 }, () => ({ status: 522, body: page('Connection timed out', 'Error code 522') })),
      },
    ],
  },
  'blank-responses': {
    description: 'The REST API responds with 200 and nothing but line breaks.',
    faults: [{ match: { regex: REST }, effect: { status: 200, headers: JSON_TYPE, body: '\n\n\n' } }],
  },
  'rest-off': {
    description: 'The REST API is switched off: 404 with a page. Pages and feeds are still there.',
    faults: [{ match: { regex: REST }, effect: { status: 404, body: page('Page not found', 'This page could not be found.') } }],
  },
  'php-notices': {
    description: 'Notices of PHP come before the JSON of the REST API.',
    faults: [{ match: { regex: REST }, effect: { prepend: NOTICE } }],
  },
  'byte-order-mark': {
    description: 'A byte order mark comes before the JSON of the REST API.',
    faults: [{ match: { regex: REST }, effect: { prepend: '\uFEFF' } }],
  },
});
