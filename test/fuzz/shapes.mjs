// Small checks that combine to the shape of a response. A check takes a value and a path, and reports problems.

/**
 * @typedef {{ problems: string[], partial: boolean }} Report `partial`: the request has `_fields`, so anything may be missing
 * @typedef {(value: unknown, at: string, report: Report) => void} Shape
 */

const shown = (value) => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

export const complain = ({ problems }, at, what, value) => problems.push(`${at}: ${what}, got ${shown(value)}`);

/** @returns {Shape} */
const of = (what, holds) => (value, at, report) => {
  if (!holds(value)) complain(report, at, what, value);
};

export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Text without lone surrogates, which other JSON parsers reject. */
export const text = of('a text of whole characters', (value) => typeof value === 'string' && value.isWellFormed());
export const integer = of('a whole number', Number.isInteger);
export const count = of('a whole number from 0', (value) => Number.isInteger(value) && value >= 0);
export const positive = of('a whole number above 0', (value) => Number.isInteger(value) && value > 0);
export const number = of('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const flag = of('true or false', (value) => typeof value === 'boolean');
export const nothing = of('null', (value) => value === null);
export const emptyList = of('[]', (value) => Array.isArray(value) && value.length === 0);
export const is = (...values) => of(`one of ${values.map(shown).join(', ')}`, (value) => values.includes(value));
export const like = (pattern) =>
  of(`a text like ${pattern}`, (value) => typeof value === 'string' && value.isWellFormed() && pattern.test(value));
export const from = (start) =>
  of(`a text that starts with ${start}`, (value) => typeof value === 'string' && value.isWellFormed() && value.startsWith(start));

/** A list of equal items. With `_fields`, its items may lack members. @returns {Shape} */
export const listOf = (item) => (value, at, report) => {
  if (!Array.isArray(value)) return complain(report, at, 'a list', value);
  value.forEach((one, i) => item(one, `${at}[${i}]`, report));
};

/** An object with any member names. PHP: an empty one is `[]`. @returns {Shape} */
export const mapOf = (item) => (value, at, report) => {
  if (Array.isArray(value) && value.length === 0) return;
  if (!isObject(value)) return complain(report, at, 'an object', value);
  for (const [key, one] of Object.entries(value)) item(one, `${at}.${key}`, report);
};

/** The first matching shape of several. @returns {Shape} */
export const either =
  (...shapes) =>
  (value, at, report) => {
    let closest;
    for (const shape of shapes) {
      const attempt = { ...report, problems: [] };
      shape(value, at, attempt);
      if (attempt.problems.length === 0) return;
      if (!closest || attempt.problems.length < closest.length) closest = attempt.problems;
    }
    report.problems.push(...closest);
  };

const OPTIONAL = Symbol('optional');
/** An optional member. @returns {Shape} */
export const maybe = (shape) => Object.assign((value, at, report) => shape(value, at, report), { [OPTIONAL]: true });

/** An object with exactly these members, in this order. @returns {Shape & { members: Record<string, Shape> }} */
export const object = (members) => {
  const order = Object.keys(members);
  /** @type {Shape} */
  const shape = (value, at, report) => {
    if (report.partial && Array.isArray(value) && value.length === 0) return;
    if (!isObject(value)) return complain(report, at, 'an object', value);
    const keys = Object.keys(value);
    for (const key of keys) {
      if (Object.hasOwn(members, key)) members[key](value[key], `${at}.${key}`, report);
      else complain(report, `${at}.${key}`, 'no such member', value[key]);
    }
    for (const key of order)
      if (!report.partial && !members[key][OPTIONAL] && !Object.hasOwn(value, key)) report.problems.push(`${at}.${key}: missing`);
    const places = keys.map((key) => order.indexOf(key)).filter((place) => place >= 0);
    if (places.some((place, i) => i > 0 && place < places[i - 1]))
      report.problems.push(`${at}: members in another order: ${keys.join(', ')}`);
  };
  return Object.assign(shape, { members });
};
