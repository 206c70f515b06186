import { textAuthor } from '../../../../wordpress/users/text-author.js';
import { savePostContent, savePostTitle, type TextAuthor } from '../../../../wordpress/formatting/sanitize.js';
import { sanitizeTitle } from '../../../../wordpress/formatting/slug.js';
import { ZERO_DATE, isDraftLike, withMeta, type MetaRow, type Post } from '../../../../wordpress/model.js';
import { allowedStatus, resaved, slugFor, type GivenDate, type PostData } from '../../../../wordpress/posts/post-save.js';
import { authorFor, type AuthorContext } from '../../../../wordpress/rest/posts/author.js';
import type { Json } from '../../../../wordpress/rest/json.js';
import { givenLinkedDate, momentOf, type DatingSite } from '../../model/event-dates.js';
import { OWN_ORIGIN } from '../../model/event.js';
import { flagFields, textFields, writeTexts } from '../../model/field.js';
import { isTruthy, writeFlag } from '../../model/flags.js';
import { LINKED, type LinkedKind } from '../../model/linked.js';
import { LINKED_MESSAGES } from '../messages.js';
import type { OrganizerFields, VenueFields } from '../../../../sdk/types/params.js';

/**
 * The writable fields of a venue or an organizer. TEC: the routes of venues and organizers check types, but data within an event is not
 * checked for them.
 */
export type LinkedData = { readonly [Name in keyof VenueFields | keyof OrganizerFields]?: Json };

/** A write of a venue or an organizer: who sends it, and the settings and the clock of the site. No content is read. */
interface LinkedWrite extends AuthorContext {
  site: AuthorContext['site'] & DatingSite;
}

/** A value as text; undefined for what has none. */
export const textOf = (value: Json | undefined): string | undefined =>
  value === undefined || value === null || typeof value === 'object' ? undefined : String(value);

/** The default of a flag that is not sent. */
type UnsentFlags = 'on' | 'off';

/** TEC: every value that does not mean "yes" is false. */
const flagSent = (value: Json | undefined, unsent: UnsentFlags): boolean =>
  value === undefined || value === null ? unsent === 'on' : isTruthy(value);

/** The meta after a write: sent fields are replaced, others are kept, and derived ones are recomputed. */
function metaAfter(kind: LinkedKind, meta: MetaRow[], data: LinkedData, image: number | null, unsent: UnsentFlags): MetaRow[] {
  const { fields } = LINKED[kind];
  const sent: Readonly<Record<string, Json | undefined>> = data;
  const texts = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, textOf(value)]));
  const next = flagFields(fields).reduce(
    (rows, [name, field]) => writeFlag(rows, field, flagSent(sent[name], unsent)),
    writeTexts(meta, textFields(fields), texts),
  );
  return withMeta(next, '_thumbnail_id', image === null ? [] : [String(image)]);
}

const unsentAtFirst = ({ site }: LinkedWrite): UnsentFlags => (site.quirks.has('venue-maps-start-hidden') ? 'off' : 'on');

const authorOfTexts = ({ request, site }: LinkedWrite): TextAuthor => textAuthor(request.user, site);

/** A new venue or organizer. @throws RestError for one without a name, and for an author that the caller may not name */
export function newLinked(kind: LinkedKind, data: LinkedData, image: number | null, write: LinkedWrite): PostData {
  const { user } = write.request;
  const title = savePostTitle(textOf(data[kind]) ?? '', authorOfTexts(write));
  if (title === '') throw LINKED_MESSAGES[kind].couldNotCreate();
  const origin = [{ key: LINKED[kind].origin, value: OWN_ORIGIN }];
  const status = allowedStatus(user, textOf(data.status));
  return {
    status,
    author: authorFor(data.author, user?._id ?? 0, write),
    title,
    content: savePostContent(textOf(data.description) ?? '', authorOfTexts(write)),
    excerpt: '',
    // TEC: these have a slug on creation, even as drafts.
    slug: slugFor(user, status, sanitizeTitle(title, write.site.quirks)),
    date: givenLinkedDate(data, momentOf(write.site)),
    menuOrder: 0,
    password: '',
    meta: metaAfter(kind, origin, data, image, unsentAtFirst(write)),
    terms: {},
  };
}

/** The meta of an existing venue or organizer that a creation repeats. */
export const repeatedMeta = (kind: LinkedKind, { meta }: Post, data: LinkedData, image: number | null, write: LinkedWrite): MetaRow[] =>
  metaAfter(kind, meta, data, image, unsentAtFirst(write));

/** WP: an update changes only the publication dates that are sent. A draft without a date does not get the sent one. */
function changedDate(current: Post, { date, date_utc }: LinkedData, { site }: LinkedWrite): GivenDate | null {
  if (isDraftLike(current.status) && current.dateGmt === ZERO_DATE) return null;
  const local = givenLinkedDate({ date }, momentOf(site));
  const utc = givenLinkedDate({ date_utc }, momentOf(site));
  if (!local && !utc) return null;
  return { date: local?.date ?? current.date, dateGmt: utc?.dateGmt ?? current.dateGmt, utcGiven: true };
}

/** A venue or an organizer after an update. @throws RestError for an author that the caller may not name */
export function changedLinked(kind: LinkedKind, current: Post, data: LinkedData, image: number | null, write: LinkedWrite): PostData {
  const { user } = write.request;
  const title = textOf(data[kind]);
  const description = textOf(data.description);
  const stored = resaved(current, user, write.site);
  const status = allowedStatus(user, textOf(data.status));
  return {
    ...stored,
    status,
    slug: slugFor(user, status, undefined),
    author: authorFor(data.author, current.author, write),
    title: title === undefined ? stored.title : savePostTitle(title, authorOfTexts(write)),
    // TEC: an empty description is not stored.
    content: description === undefined || description === '' ? stored.content : savePostContent(description, authorOfTexts(write)),
    date: changedDate(current, data, write),
    meta: metaAfter(kind, current.meta, data, image, 'on'),
  };
}
