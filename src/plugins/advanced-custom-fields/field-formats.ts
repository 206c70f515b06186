import { isDeepStrictEqual } from 'node:util';
import { isEmpty, isNumeric, toStr } from '../../base/php/cast.js';
import { newestZones } from '../../base/php/zone-data.js';
import { isRecord, lookup, type Json } from '../../base/values/records.js';
import type { Field, Referred } from './field-type.js';
import { standardValue } from './types.js';
import FORMATS from './field-formats.json' with { type: 'json' };

declare module '../../wordpress/types/hooks.js' {
  interface Hooks {
    /** Finds out how a site shows the values of a field. */
    fieldFormats: typeof formatSettings;
  }
}

/** A value of a field as responses have it, and with `acf_format=standard`. */
type Sample = readonly [light: Json, standard: Json];

type Settings = Record<string, unknown>;

const { dates, times, between } = FORMATS;
const BY_VALUE: Readonly<Record<string, Record<string, string>>> = lookup(FORMATS.byValue);

const inFormats = (formats: readonly string[]): Settings[] => [...formats.map((each) => ({ return_format: each })), {}];

/** Settings by type of field. The first that fit all values are guessed, else the last. */
const CANDIDATES: Readonly<Record<string, readonly Settings[]>> = lookup({
  ...FORMATS.candidates,
  date_picker: inFormats(dates),
  time_picker: inFormats(times),
  date_time_picker: inFormats(between.flatMap((part) => dates.flatMap((day) => times.map((time) => `${day}${part}${time}`)))),
});

/** Surroundings of values of candidates, which refer to no objects. */
const NOWHERE = { site: { clock: { seconds: () => 0 }, zones: newestZones() } } as unknown as Referred;

/** The format of choices, and the labels that responses show. */
function choiceSettings(samples: readonly Sample[], choices: unknown): Settings {
  const labels = samples.map(([value, shown]) => [toStr(value), toStr(isRecord<Json>(shown) ? shown['label'] : shown)] as const);
  const format = samples.some(([, shown]) => isRecord(shown)) ? 'array' : labels.some(([value, label]) => value !== label) && 'label';
  return format ? { return_format: format, choices: { ...(choices as object | undefined), ...Object.fromEntries(labels) } } : {};
}

/**
 * Finds out the format of a field by its values in both formats.
 * @returns the settings of the field that differ from the guessed ones; the default if the values fit it, too
 */
export function formatSettings(field: Settings, samples: readonly Sample[]): Settings {
  const type = toStr(field['type']);
  const seen = samples.flatMap(([light, standard]): Sample[] => {
    const [values, shown] = [light, standard].map((each) => [each].flat());
    return shown.slice(0, values.length).map((each, index) => [values[index], each]);
  });
  const both = seen.filter((sample) => !sample.some((value) => isEmpty(value) && !isNumeric(value)));
  const candidates = both.length > 0 && CANDIDATES[type];
  const fits = (settings: Settings): boolean =>
    both.every(([light, standard]) => isDeepStrictEqual(standardValue(light, { ...field, ...settings } as Field, NOWHERE), standard));
  if (candidates) return candidates.find(fits) ?? candidates.at(-1)!;
  if (FORMATS.withChoices.includes(type)) return choiceSettings(both, field['choices']);
  const thing = both.map(([, standard]) => standard).find((standard) => isRecord<Json>(standard));
  // ACF: members of groups have no links that tell what their values are.
  if (thing?.['term_id'])
    return {
      type: 'taxonomy',
      taxonomy: thing['taxonomy'],
      field_type: field['multiple'] ? 'checkbox' : 'select',
      return_format: 'object',
    };
  if (thing?.['user_nicename']) return { type: 'user' };
  const [kind, other] = new Set(both.map(([, value]) => (typeof value === 'object' ? 'object' : isNumeric(value) ? 'number' : 'text')));
  const format = kind === undefined || other !== undefined ? undefined : BY_VALUE[type]?.[kind];
  return {
    // ACF: a relationship without posts is null.
    ...(type === 'relationship' && samples.some(([, standard]) => standard === false) ? { type: 'post_object' } : {}),
    ...(format === undefined ? {} : { return_format: format }),
  };
}
