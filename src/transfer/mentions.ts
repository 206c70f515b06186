import { lookup } from '../base/values/records.js';
import { EVENT_CATEGORY } from '../plugins/the-events-calendar/model/index.js';
import { CATEGORY, TAG } from '../wordpress/model.js';
import { equalityKey } from '../wordpress/posts/posts.js';
import type { SourceItem } from './source.js';
import { kindOfPost } from './writing.js';

/** Posts and terms that content refers to by name, and that it may not contain. */

type NamedItem = Extract<SourceItem, { kind: 'post' | 'term' }>;

const TERM_KINDS: Readonly<Record<string, string>> = lookup({ [EVENT_CATEGORY]: 'category', [CATEGORY]: 'category', [TAG]: 'tag' });

/** The problem with a mention of something that does not exist. */
export const absenceOf = (item: NamedItem): string =>
  item.kind === 'post'
    ? `there is no ${kindOfPost(item.post)} with the name ${JSON.stringify(item.post.title)}`
    : `there is no ${TERM_KINDS[item.term.taxonomy] ?? 'term'} with the name ${JSON.stringify(item.term.name)}`;

const keysOf = (item: NamedItem): string[] =>
  item.kind === 'post'
    ? [`${item.post.type} title ${equalityKey(item.post.title)}`, `${item.post.type} slug ${item.post.slug}`]
    : [`${item.term.taxonomy} name ${item.term.nameKey}`, `${item.term.taxonomy} slug ${item.term.slug}`];

/** Finds mentions of items that files do not contain, without a site. */
export class MentionCheck {
  private readonly contained = new Set<string>();
  private readonly mentioned: { item: NamedItem; file: string }[] = [];

  add(item: SourceItem, file: string): void {
    if (item.kind !== 'post' && item.kind !== 'term') return;
    if (item.reuse) this.mentioned.push({ item, file });
    else for (const key of keysOf(item)) this.contained.add(key);
  }

  /** The mentions of a file that match nothing. */
  absentIn(file: string): NamedItem[] {
    const isAbsent = (item: NamedItem): boolean => !keysOf(item).some((key) => this.contained.has(key));
    return this.mentioned.filter((each) => each.file === file && isAbsent(each.item)).map(({ item }) => item);
  }
}
