import { lookup } from '../../base/values/records.js';
import { EVENT_FIELDS } from '../../plugins/the-events-calendar/model/event.js';
import { loadContents } from '../../plugins/register.js';
import { EVENT } from '../../plugins/the-events-calendar/model/index.js';
import { textFields } from '../../plugins/the-events-calendar/model/field.js';
import { LINKED, LINKED_KINDS } from '../../plugins/the-events-calendar/model/linked.js';
import { isEmail } from '../../wordpress/formatting/email.js';
import { metaValue, metaValues, type Post } from '../../wordpress/model.js';
import type { SourceItem, DatasetSource } from '../source.js';
import { kindOfPost } from '../writing.js';

/** A number with separators of two kinds, with one that is repeated, or with one that no decimals begin with: `1,234.50`, `1.234.567`, `1'234`. */
const GROUPED = /\d+(?:[.,]\d+){2,}|\b\d{1,3}(?:[ \u00A0\u202F'’]\d{3})+(?:[.,]\d+)?\b/g;

/** A grouped number as the plugin reads it whole: without the separators of thousands. */
function ungrouped(number: string): string {
  const separators = number.replace(/\d/g, '');
  const [last] = separators.slice(-1);
  const isDecimal = /[.,]/.test(last) && separators.indexOf(last) === separators.length - 1;
  const digits = number.split(/\D/);
  return isDecimal ? `${digits.slice(0, -1).join('')}${last}${digits.at(-1) ?? ''}` : digits.join('');
}

/** The fields with addresses of each type of post. */
const ADDRESSES: Readonly<Record<string, ReturnType<typeof textFields>>> = lookup(
  Object.fromEntries(
    [[EVENT, EVENT_FIELDS] as const, ...LINKED_KINDS.map((kind) => [LINKED[kind].type, LINKED[kind].fields] as const)].map(
      ([type, fields]) => [
        type,
        textFields(fields).filter(([, { kind, format }]) =>
          [kind, format].some((each) => each === 'url' || each === 'uri' || each === 'email'),
        ),
      ],
    ),
  ),
);

/** A host name of two labels or more, or an address of a scheme: what browsers open. */
const OPENABLE = /^(?:[a-z][a-z0-9+.-]*:|\/|[^\s./]+(?:\.[^\s./]+)+(?:[/?#:]\S*)?$)/i;

function* addressDoubts(post: Post): Iterable<string> {
  for (const [name, { key, kind, format }] of ADDRESSES[post.type] ?? []) {
    const isEmailField = kind === 'email' || format === 'email';
    const wrong = metaValues(post, key).find((value) => value !== '' && !(isEmailField ? isEmail(value) : OPENABLE.test(value)));
    if (wrong !== undefined) yield `The ${name} of the ${kindOfPost(post)} "${post.title}" is not an address: "${wrong}"`;
  }
}

/** Years in which nobody has an event. */
const TOO_EARLY = '1000';

/** Days after which the year of an end is probably wrong. */
const LONG = 360;

function* dateDoubts(post: Post): Iterable<string> {
  const [start, end] = [EVENT_FIELDS.start_date.key, EVENT_FIELDS.end_date.key].map((key) => metaValue(post, key) ?? '');
  const early = [start, end].find((date) => /^\d{4}-/.test(date) && date < TOO_EARLY);
  const days = Math.round((Date.parse(`${end.slice(0, 10)}Z`) - Date.parse(`${start.slice(0, 10)}Z`)) / 86_400_000);
  if (early !== undefined) yield `The event "${post.title}" is in the year ${Number(early.slice(0, 4))}. Write all four digits`;
  else if (days >= LONG) yield `The event "${post.title}" lasts ${days} days, from ${start} to ${end}`;
}

/** Warnings about probable mistakes in an item, one sentence each. */
function* doubtsOf(item: SourceItem): Iterable<string> {
  if (item.kind === 'user' && item.user.email !== '' && !isEmail(item.user.email))
    yield `The email address of the user "${item.user.login}" is not an address: "${item.user.email}"`;
  if (item.kind !== 'post') return;
  yield* addressDoubts(item.post);
  if (item.post.type !== EVENT) return;
  yield* dateDoubts(item.post);
  for (const cost of metaValues(item.post, EVENT_FIELDS.cost.key))
    if (cost.match(GROUPED)) {
      const meant = cost.replace(GROUPED, ungrouped);
      yield `The event "${item.post.title}" costs "${cost}", which The Events Calendar reads as several amounts. Write "${meant}"`;
    }
}

/** A source that reports warnings about probable mistakes. */
export function withMistakeWarnings(source: DatasetSource, warn: (line: string) => void): DatasetSource {
  return {
    ...source,
    async *items(problems) {
      const contents = (await loadContents()).filter(({ plugin }) => source.plugins?.includes(plugin.name));
      const ofPlugins = contents.flatMap(({ doubts }) => doubts?.() ?? []);
      for await (const item of source.items(problems)) {
        for (const doubt of doubtsOf(item)) warn(doubt);
        if (item.kind === 'post') for (const each of ofPlugins) each.add(item.post);
        yield item;
      }
      for (const each of ofPlugins) for (const doubt of each.doubts()) warn(doubt);
    },
  };
}
