import type { ContentChange } from '../../../wordpress/store.js';
import type { Post, Term } from '../../../wordpress/model.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import { pagesAbove } from '../../../wordpress/posts/posts.js';
import type { Site } from '../../../wordpress/site.js';
import { termUrl } from '../../../wordpress/terms/term-links.js';
import { withAncestors } from '../../../wordpress/terms/terms.js';
import type { WebhookBody, WebhookEvent } from '../../../sdk/types/qa.js';

/** An event before it is sent to a webhook. */
export type EventBody = Omit<WebhookBody, 'delivery'>;

/** Merges consecutive changes of the same post or term: the state before the first and after the last. */
export function combined(changes: readonly ContentChange[]): ContentChange[] {
  const byItem = new Map<string, ContentChange>();
  for (const change of changes) {
    const key = `${change.kind} ${(change.after ?? change.before)?._id}`;
    const first = byItem.get(key);
    byItem.set(key, first ? ({ ...change, before: first.before } as ContentChange) : change);
  }
  return [...byItem.values()].filter(({ before, after }) => before !== null || after !== null);
}

const statusOf = (item: Post | Term | null): string | undefined => (item && 'status' in item ? item.status : undefined);

function eventOf({ kind, before, after }: ContentChange): WebhookEvent {
  if (!before) return `${kind}.created`;
  if (!after) return `${kind}.deleted`;
  if (kind === 'term') return 'term.updated';
  const [wasTrashed, isTrashed] = [statusOf(before), statusOf(after)].map((status) => status === 'trash');
  if (wasTrashed === isTrashed) return 'post.updated';
  return isTrashed ? 'post.trashed' : 'post.restored';
}

async function linkOf(item: Post | Term, site: Site): Promise<string> {
  if ('taxonomy' in item) return termUrl(item, await withAncestors(site.store, [item]), site);
  return permalink(item, site, true, await pagesAbove(site.store, [item]));
}

type Described = Pick<WebhookBody, 'status' | 'slug' | 'link'> & { slug: string; link: string };

async function described(item: Post | Term, site: Site): Promise<Described> {
  const status = statusOf(item);
  return { ...(status === undefined ? {} : { status }), slug: item.slug, link: await linkOf(item, site) };
}

/** The members of the body about the changed item. */
export async function changeBody(change: ContentChange, site: Site): Promise<Omit<EventBody, 'time' | 'site' | 'sandbox'>> {
  const { before, after } = change;
  const item = after ?? before;
  if (!item) throw new TypeError('A change has a state before or after it.');
  const previous = before && after ? { previous: await described(before, site) } : {};
  const type = 'taxonomy' in item ? item.taxonomy : item.type;
  return { event: eventOf(change), id: item._id, type, ...(await described(item, site)), ...previous };
}
