import { isEmpty, isNumeric, toStr } from '../../../../base/php/cast.js';
import { formatWall, parseMysqlDate } from '../../../../base/php/date.js';
import { isRecord, lookup, type Json } from '../../../../base/values/records.js';
import { autop } from '../../../../wordpress/formatting/autop.js';
import FORMATS from './field-formats.json' with { type: 'json' };

/** A value of a field as responses have it, and with `acf_format=standard`. */
export type Sample = readonly [light: Json, standard: Json];

type Settings = Record<string, unknown>;

const { dates, times, between } = FORMATS;
const BY_VALUE: Readonly<Record<string, Record<string, string>>> = lookup(FORMATS.byValue);

/** Formats of dates by type of field, the default first. */
const OF_DATES: Readonly<Record<string, readonly string[]>> = lookup({
  date_picker: dates,
  time_picker: times,
  date_time_picker: [...between.flatMap((part) => dates.flatMap((day) => times.map((time) => `${day}${part}${time}`))), ...dates],
});

const valueKind = (value: Json): string => (typeof value === 'object' ? 'object' : isNumeric(value) ? 'number' : 'text');

function dateSettings(samples: readonly Sample[], formats: readonly string[]): Settings {
  const read = samples.flatMap(([light, standard]) => {
    const text = toStr(light).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
    const wall = parseMysqlDate(text.includes('-') ? text : `1970-01-01 ${text}`);
    return wall ? [{ wall, standard }] : [];
  });
  const format = read.length > 0 && formats.find((each) => read.every(({ wall, standard }) => formatWall(each, wall) === standard));
  return format && format !== formats[0] ? { return_format: format } : {};
}

/** The format of choices, and the labels that responses show. */
function choiceSettings(samples: readonly Sample[], choices: unknown): Settings {
  const labels = samples.map(([value, shown]) => [toStr(value), toStr(isRecord<Json>(shown) ? shown['label'] : shown)] as const);
  const format = samples.some(([, shown]) => isRecord(shown)) ? 'array' : labels.some(([value, label]) => value !== label) && 'label';
  return format ? { return_format: format, choices: { ...(choices as object | undefined), ...Object.fromEntries(labels) } } : {};
}

/** Texts that are shown in another way: of several lines, or of an editor, whose texts have markup. */
function textSettings(samples: readonly Sample[]): Settings {
  const is = (change: (text: string) => string): boolean => samples.every(([light, standard]) => change(toStr(light)) === standard);
  if (is((text) => text)) return {};
  if (is((text) => text.replace(/\r?\n/g, '<br />$&'))) return { type: 'textarea', new_lines: 'br' };
  const isMarkup = samples.some(([light]) => toStr(light).includes('<'));
  return isMarkup || !is(autop) ? { type: 'wysiwyg' } : { type: 'textarea', new_lines: 'wpautop' };
}

/**
 * Finds out the format of a field by its values in both formats.
 * @returns the settings of the field that differ from the guessed ones; none if the values fit several formats, the default among them
 */
export function formatSettings(field: Settings, samples: readonly Sample[]): Settings {
  const type = toStr(field['type']);
  const seen = samples.flatMap(([light, standard]): Sample[] => {
    const [values, shown] = [light, standard].map((each) => [each].flat() as Json[]);
    return shown.slice(0, values.length).map((each, index) => [values[index], each]);
  });
  const both = seen.filter((sample) => !sample.some((value) => isEmpty(value) && !isNumeric(value)));
  // ACF: a relationship without posts is null.
  const isPosts = type === 'relationship' && samples.some(([, standard]) => standard === false);
  const own = isPosts ? { type: 'post_object' } : {};
  const [kind, other] = new Set(both.map(([, standard]) => valueKind(standard)));
  if (kind === undefined) return own;
  const thing = both.map(([, standard]) => standard).find((standard) => isRecord<Json>(standard));
  if (type === 'relationship' || type === 'post_object') {
    // ACF: members of groups have no links that tell what their values are.
    const kindOfTerms = type === 'post_object' ? 'select' : 'checkbox';
    if (thing?.['term_id']) return { type: 'taxonomy', taxonomy: thing['taxonomy'], field_type: kindOfTerms, return_format: 'object' };
    if (thing?.['user_nicename']) return { type: 'user' };
  }
  if (OF_DATES[type]) return dateSettings(both, OF_DATES[type]);
  if (FORMATS.withChoices.includes(type)) return choiceSettings(both, field['choices']);
  if (type === 'text' && kind === 'object') return { type: 'color_picker', return_format: 'array' };
  if (type === 'text') return textSettings(both);
  if (type === 'url') return both.some(([light, standard]) => light !== standard) ? { type: 'oembed' } : {};
  const format = other === undefined ? BY_VALUE[type]?.[kind] : undefined;
  return format === undefined ? own : { ...own, return_format: format };
}
