import { isNoteStatus, type Term as StoredTerm, type User, type Comment } from '../../../wordpress/model.js';
import type { Term } from '../../../sdk/types/responses.js';
import { avatarUrl } from '../../../wordpress/links.js';
import type { CoreUser, Summary, CoreComment } from './summary.js';
import { isOneOf, lookup } from '../../../base/values/records.js';
import { ROLE_NAMES } from '../../formats/dataset/declaration.js';
import { storedComment } from './unrender.js';

/** Converts a term. `elsewhere` is the number of posts with this term that the site does not show. */
export function termDocument(term: Term, { eventTerms, termUse }: Summary): StoredTerm {
  const facts = eventTerms.get(term.id);
  return {
    _id: term.id,
    taxonomy: term.taxonomy,
    name: term.name,
    slug: term.slug,
    description: term.description ?? '',
    parent: term.parent ?? 0,
    termGroup: facts?.term_group ?? 0,
    termTaxonomyId: facts?.term_taxonomy_id ?? term.id,
    elsewhere: Math.max(0, (term.count ?? 0) - (termUse.get(term.id) ?? 0)),
    count: 0,
    branchCount: 0,
    nameKey: '',
    search: '',
  };
}

/** Converts an author to a user who cannot sign in: the API shows neither login nor password. Roles of plugins are unknown here. */
export function userDocument(id: number, core: CoreUser | undefined, role = core?.roles?.[0]): User {
  const login = core?.slug || `author-${id}`;
  const email = `${login.replace(/[^\w.-]/g, '-')}@example.org`;
  const picture = core?.avatar_urls?.['96'] ?? '';
  // The address itself is not shown.
  const hash = picture === avatarUrl(email, 96) ? undefined : /\/avatar\/([\da-f]{32,64})\?/.exec(picture)?.[1];
  return {
    _id: id,
    login,
    email,
    displayName: core?.name ?? login,
    nicename: login,
    url: core?.url ?? '',
    role: isOneOf(ROLE_NAMES, role) ? role : 'author',
    applicationPasswords: [],
    ...(hash === undefined ? {} : { avatar: hash }),
    ...(core?.description ? { description: core.description } : {}),
  };
}

const STATUS: Readonly<Record<string, string>> = lookup({ approved: '1', hold: '0' });

export const isOnCopied = ({ post = 0 }: CoreComment, { ids, embedded, images, others, unlisted }: Summary): boolean =>
  embedded.has(post) || images.has(post) || others.has(post) || unlisted.has(post) || Object.values(ids).some((each) => each.has(post));

export function commentDocument(comment: CoreComment, siteUrl: string): Comment {
  const { content = {}, status = 'approved', date = '', date_gmt = date } = comment;
  const noteStatus = comment.meta?._wp_note_status;
  return {
    _id: comment.id,
    post: comment.post ?? 0,
    parent: comment.parent ?? 0,
    author: comment.author ?? 0,
    authorName: comment.author_name ?? '',
    authorEmail: comment.author_email ?? '',
    authorUrl: comment.author_url ?? '',
    authorIp: comment.author_ip ?? '',
    agent: comment.author_user_agent ?? '',
    date: date.replace('T', ' '),
    dateGmt: date_gmt.replace('T', ' '),
    content: storedComment(content.rendered ?? '', content.raw, siteUrl),
    approved: STATUS[status] ?? status,
    type: comment.type || 'comment',
    ...(isNoteStatus(noteStatus) ? { noteStatus } : {}),
  };
}
