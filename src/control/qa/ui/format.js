const SECOND = 1000;
const UNITS = [
  [24 * 3600, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** `5 s`, `3 min`, `2 h`; `now` below a second. */
export function ago(ms) {
  const seconds = Math.floor(ms / SECOND);
  const [length, unit] = UNITS.find(([each]) => seconds >= each) ?? [];
  return unit === undefined ? 'now' : `${Math.floor(seconds / length)} ${unit}`;
}

/** A time as `2026-06-15 12:00:00`. @param offset of the zone, in seconds */
export const wall = (moment, offset = 0) => new Date(moment + offset * SECOND).toISOString().slice(0, 19).replace('T', ' ');

/** `1 event`, `5 events`, `1,200 events` */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** A duration with its significant digits. */
export const duration = (ms) =>
  ms >= 10_000 ? `${Math.round(ms / SECOND)} s` : ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;

/** A URL for people: percent-encoding is decoded where that is possible. */
export function readableUrl(url) {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

/** Text of HTML. */
export const plainText = (window, html) => new window.DOMParser().parseFromString(html, 'text/html').body.textContent;

/** JSON for people; text stays as it is. */
export const pretty = (body) => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));
