import type { Fields } from '../../../tec/field.js';
import { LINKED, type LinkedKind } from '../../../tec/linked.js';
import type { Post } from '../../../wp/model.js';
import { fieldRows, isValue, type Value, type Values } from '../../fields.js';
import { common, commonRows, coreMeta, originRow, passwordOf, rawOf, type DocumentContext } from './context.js';
import { isWithheld, nameOf, type Linked } from '../items.js';
import type { CorePost } from './summary.js';
import { storedTexts } from './unrender.js';

// What a password keeps back is there all the same, and empty (coordinates: zero): something has to stand for it in the copy.
const HIDDEN_TEXT = '-';
const HIDDEN_DEGREES = '0.000001';

/** What the fields of an item hold on the site, as far as it shows them. */
function shownValues(item: Linked, table: Fields, withheld: boolean, core: CorePost | undefined): Values {
  const valueOf = (name: string, { kind, key, ...field }: Fields[string]): Value | undefined => {
    const shown: unknown = Reflect.get(item, name);
    if (kind === 'flag') return typeof shown === 'boolean' ? shown : 'shown' in field && field.shown;
    if (kind === 'coordinate') return degreesOf(shown, coreMeta(core, key), withheld);
    return withheld && shown === '' ? HIDDEN_TEXT : isValue(shown) && shown !== '' ? shown : undefined;
  };
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, valueOf(name, field)]));
}

function degreesOf(shown: unknown, stored: string, withheld: boolean): string {
  if (withheld && shown === 0) return stored || HIDDEN_DEGREES;
  return shown ? String(shown) : stored;
}

/** A name that a password keeps back: from the core API, which says `Protected: …`, or from the slug. */
const nameBehindPassword = (slug: string | undefined, core: CorePost | undefined): string =>
  core?.title?.rendered?.replace(/^[^:]+: /, '') ?? (slug ?? '').replaceAll('-', ' ');

/** @param single the response of the item's own route, if there is one */
export function linkedPost(kind: LinkedKind, item: Linked, single: Linked | undefined, context: DocumentContext): Post {
  const { type, fields, origin } = LINKED[kind];
  const core = context.core.get(item.id);
  const withheld = isWithheld(item);
  const name = nameOf(item, kind);
  // TEC: no structured data behind a password, even for those who have it.
  const isOpen = single === undefined || single.json_ld !== undefined;
  const texts = storedTexts(
    {
      title: typeof name === 'string' ? name : nameBehindPassword(item.slug, core),
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
