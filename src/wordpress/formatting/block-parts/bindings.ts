import { isRecord, lookup } from '../../../base/values/records.js';
import { htmlRules, ksesPost } from '../kses/kses.js';
import type { Frame } from './frame.js';
import type { Attributes } from './types.js';
import { at } from './styles.js';
import tables from './tables.json' with { type: 'json' };
import { TagEditor, whole, joined, type Html } from './tags.js';

/** Where an attribute is in the markup of a block: in an element, or an attribute of it. */
interface BoundMarkup {
  readonly tags: readonly string[];
  readonly attribute?: string;
}

/** The attributes that may be bound to other data (WP). */
const BOUND: Readonly<Record<string, Readonly<Record<string, BoundMarkup>>>> = lookup(tables.bound);

const FIELDS: Readonly<Record<string, (frame: Frame) => string | undefined>> = lookup({
  date: ({ references: { post, site } }) => post && site?.iso(post.date),
  modified: ({ references: { post, site } }) => post && (post.modified > post.date ? site?.iso(post.modified) : ''),
  link: ({ references: { post, linkTo } }) => post && linkTo(post),
});

function boundValue(frame: Frame, binding: unknown, name: string): string | undefined {
  const { post, site } = frame.references;
  const source = at(binding, 'source');
  if (source === 'core/pattern-overrides') return overridden(frame, name);
  const named = at(binding, 'args.field') ?? at(binding, 'args.key');
  if (typeof named !== 'string') return undefined;
  if (source === 'core/post-meta') return post && site?.meta(post, named);
  return source === 'core/post-data' && !frame.isOld ? FIELDS[named]?.(frame) : undefined;
}

/** The value that the use of a pattern has for an attribute of a block with a name in it. */
function overridden(frame: Frame, attribute: string): string | undefined {
  const content = frame.around('core/block')?.attributes.content;
  const own = at(frame.attributes, 'metadata.name');
  const values = isRecord(content) && typeof own === 'string' && Object.hasOwn(content, own) ? content[own] : undefined;
  const value = at(values, attribute);
  return typeof value === 'string' ? value : undefined;
}

/** The attributes of a block that are bound to data of its post, with their values. */
export function boundAttributes(frame: Frame): Attributes {
  const bindings = at(frame.attributes, 'metadata.bindings');
  const places = BOUND[frame.block.name];
  if (!isRecord(bindings) || !places) return {};
  // WP: `__default` binds all other attributes.
  const values = Object.keys(places).map((name) => [name, boundValue(frame, bindings[name] ?? bindings.__default, name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

export function withBindings(frame: Frame, html: Html): Html {
  const values = Object.entries(boundAttributes(frame));
  return values.reduce((shown, [name, value]) => {
    const place = BOUND[frame.block.name]?.[name];
    return place ? whole(replaced(joined(shown), place, String(value), frame)) : shown;
  }, html);
}

function replaced(html: string, { tags, attribute }: BoundMarkup, value: string, frame: Frame): string {
  const editor = new TagEditor(html, frame.isOld);
  while (editor.next()) {
    if (!tags.includes(editor.name)) continue;
    if (attribute !== undefined) return editor.set(attribute, value).html();
    const close = html.toLowerCase().indexOf(`</${editor.name}`, editor.end);
    if (close === -1) return html;
    return html.slice(0, editor.end) + ksesPost(value, htmlRules(frame.references.quirks)) + html.slice(close);
  }
  return html;
}
