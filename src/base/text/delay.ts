import { membersOf } from '../values/records.js';

/** Milliseconds, or a distribution of milliseconds. */
export type Delay =
  | number
  | { fixed: number }
  | { uniform: [number, number] }
  | { normal: { mean: number; deviation: number } }
  | { lognormal: { median: number; sigma: number } };

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

export function isDelay(value: unknown): value is Delay {
  if (isNumber(value)) return true;
  if (value === null || typeof value !== 'object') return false;
  const { fixed, uniform, normal, lognormal } = membersOf(value) ?? {};
  if (Object.keys(value).length !== 1) return false;
  if (uniform !== undefined) return Array.isArray(uniform) && uniform.length === 2 && uniform.every(isNumber) && uniform[0] <= uniform[1];
  const numbers = (object: unknown, names: string[]): boolean =>
    membersOf(object) !== null && names.every((name) => isNumber(membersOf(object)?.[name]));
  return isNumber(fixed) || numbers(normal, ['mean', 'deviation']) || numbers(lognormal, ['median', 'sigma']);
}

/** How delays are written. */
export const DELAY_FORMS =
  'milliseconds: 500, {"uniform": [100, 900]}, {"normal": {"mean": 500, "deviation": 100}} or {"lognormal": {"median": 300, "sigma": 0.5}}';
