/** Predefined rules, by label. */
export const PRESETS = {
  'Server error (500)': { effect: { status: 500 } },
  'Too many requests (429)': { effect: { status: 429 } },
  'Bad gateway (502)': { effect: { status: 502 } },
  'Every third request fails (500)': { every: 3, effect: { status: 500 } },
  'One request in five fails (503)': { probability: 0.2, seed: 1, effect: { status: 503 } },
  'Two failures, then success': { sequence: [{ status: 503 }, { status: 503 }] },
  'Delay: 2 seconds': { effect: { delay: 2000 } },
  'Random delay, around half a second': { effect: { delay: { lognormal: { median: 500, sigma: 0.6 } } } },
  'Trickle: 2 kB per second': { effect: { bytesPerSecond: 2000 } },
  'Connection dropped before the response': { effect: { drop: 'before' } },
  'Connection dropped in the middle of the body': { effect: { drop: 'mid-body' } },
  'Body cut off after half': { effect: { truncate: true } },
  'Maintenance (503)': { profile: 'maintenance' },
  'Forbidden by a firewall (403)': { profile: 'forbidden' },
  'REST API closed to visitors (401)': { profile: 'rest-disabled' },
};

/** Lists of any namespace: a collection without an ID. */
const LISTS = { method: 'GET', regex: String.raw`^/wp-json/(?:(?:tribe|calendar)/events/v1|tec/v1|wp/v2)/[\w-]+/?(?:\?|$)` };

const WRITES = { method: ['POST', 'PUT', 'PATCH', 'DELETE'] };

/** The faults of single buttons. */
export const QUICK = {
  'The next two lists fail': { match: LISTS, times: 2, effect: { status: 503 } },
  'Next request fails': { times: 1, effect: { status: 500 } },
  'Next write fails': { match: WRITES, times: 1, effect: { status: 500 } },
  'Next request takes 5 s': { times: 1, effect: { delay: 5000 } },
  'Next connection drops': { times: 1, effect: { drop: 'before' } },
};

function describeEffect(effect) {
  if (effect === 'ok') return 'ok';
  const { body, headers, ...told } = typeof effect.delay === 'number' ? { ...effect, delay: `${effect.delay} ms` } : effect;
  const parts = Object.entries(told).map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return [...parts, ...(body === undefined ? [] : ['custom body']), ...(headers === undefined ? [] : ['custom headers'])].join(', ');
}

const AT_END = { stop: 'then nothing', repeat: 'then again', stay: 'which stays' };

/** Describes the effects of a rule. */
export function describe({ profile, effect, sequence, atEnd = 'stop' }) {
  if (profile !== undefined) return profile;
  return sequence === undefined ? describeEffect(effect) : `${sequence.map(describeEffect).join(' → ')}, ${AT_END[atEnd]}`;
}

const ordinal = (n) => `${n}${n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;

/** Describes which of the matching requests a rule affects. */
function schedule({ skip, every, probability, times, seed, id }) {
  return [
    skip !== undefined && `after ${skip}`,
    every !== undefined && `every ${ordinal(every)}`,
    probability !== undefined && `${Math.round(probability * 1000) / 10} % of them, seed ${seed ?? id}`,
    times !== undefined && (times === 1 ? 'once' : `${times} times`),
  ].filter(Boolean);
}

/** Describes the requests that a rule matches. */
export function scope(rule) {
  const { profile, match = {} } = rule;
  const { method, path, regex, ...rest } = profile === undefined ? match : {};
  const parts = [
    [method].flat().filter(Boolean).join(', '),
    path ?? '',
    regex === undefined ? '' : regex === LISTS.regex ? 'lists' : `/${regex}/`,
    Object.keys(rest).length > 0 ? JSON.stringify(rest) : '',
  ].filter((part) => part !== '');
  const where = parts.length > 0 ? parts.join(' ') : profile === undefined ? 'all requests' : 'requests of the profile';
  return [where, ...schedule(rule)].join(', ');
}
