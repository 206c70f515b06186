import type { Fields } from '../../../plugins/the-events-calendar/model/field.js';
import { LINKED, type LinkedKind } from '../../../plugins/the-events-calendar/model/event.js';
import type { Post } from '../../../wordpress/model.js';
import { fieldRows, isValue, type Value, type FieldValues } from '../../fields.js';
import { common, commonRows, coreMeta, originRow, passwordOf, rawOf, type DocumentContext } from './context.js';
import { isWithheldItem, nameOf, type LinkedOnSite } from '../items.js';
import type { CorePost } from './summary.js';
import { storedTexts } from './unrender.js';

// Password-protected fields are shown as empty (coordinates: zero) if they have a value, and omitted otherwise. The copy stores a placeholder.
const HIDDEN_TEXT = '-';
const HIDDEN_DEGREES = '0.000001';

/** The field values of an item, as far as the API shows them. */
function shownValues(item: LinkedOnSite, table: Fields, withheld: boolean, core: CorePost | undefined): FieldValues {
  const valueOf = (name: string, { kind, key, ...field }: Fields[string]): Value | undefined => {
    const shown: unknown = Reflect.get(item, name);
    if (kind === 'flag') return typeof shown === 'boolean' ? shown : 'default' in field && field.default;
    if (kind === 'coordinate') return degreesOf(shown, coreMeta(core, key), withheld);
    return withheld && shown === '' ? HIDDEN_TEXT : isValue(shown) && shown !== '' ? shown : undefined;
  };
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, valueOf(name, field)]));
}

function degreesOf(shown: unknown, stored: string, withheld: boolean): string {
  if (withheld && shown === 0) return stored || HIDDEN_DEGREES;
  return typeof shown === 'number' || typeof shown === 'string' ? String(shown || stored) : stored;
}

/** The name of a password-protected item: from the core API, which shows `Protected: …`, or from the slug. */
const protectedName = (slug: string | undefined, core: CorePost | undefined): string =>
  core?.title?.rendered?.replace(/^[^:]+: /, '') ?? (slug ?? '').replaceAll('-', ' ');

/** Converts a linked item to a post. @param single the response of its single route, if requested */
export function linkedPost(kind: LinkedKind, item: LinkedOnSite, single: LinkedOnSite | undefined, context: DocumentContext): Post {
  const { type, fields, origin } = LINKED[kind];
  const core = context.core.get(item.id);
  const withheld = isWithheldItem(item);
  const name = nameOf(item, kind);
  // TEC: password-protected posts have no structured data, even for users who may read them.
  const isOpen = single === undefined || single.json_ld !== undefined;
  const texts = storedTexts(
    {
      title: typeof name === 'string' ? name : protectedName(item.slug, core),
      description: withheld && item.description === '' ? '<p>-</p>' : (item.description ?? ''),
      excerpt: item.excerpt ?? '',
      ...(single?.json_ld ? { jsonLd: single.json_ld.description } : {}),
    },
    rawOf(core),
  );
  return {
    ...common(item, type, passwordOf(item, core, isOpen, context)),
    ...texts,
    meta: [originRow(origin), ...commonRows(item), ...fieldRows(fields, shownValues(item, fields, withheld, core))],
  };
}
