import { toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { filterFields } from '../../rest/fields.js';
import { RestResponse } from '../../rest/response.js';
import { canWithPosts } from '../../wp/users/capabilities.js';
import { POST, type User } from '../../wp/model.js';
import type { Answers } from '../declare.js';
import { refusal } from '../../rest/permissions.js';
import type { CallContext, Json, Permission } from '../../rest/route.js';

/** A status of posts. `internal` ones are never shown. */
interface Status {
  label: string;
  isPublic?: boolean;
  /** Posts have no settled date. */
  floating?: boolean;
  internal?: boolean;
}

/** TEC: the statuses of its imports are public. */
const imported = (label: string): Status => ({ label, isPublic: true });

const STATUSES: Record<string, Status> = {
  publish: { label: 'Published', isPublic: true },
  future: { label: 'Scheduled' },
  draft: { label: 'Draft', floating: true },
  pending: { label: 'Pending', floating: true },
  private: { label: 'Private' },
  trash: { label: 'Trash' },
  'auto-draft': { label: 'auto-draft', internal: true },
  inherit: { label: 'inherit', internal: true },
  'tribe-ea-success': imported('Imported'),
  'tribe-ea-failed': imported('Failed'),
  'tribe-ea-schedule': imported('Schedule'),
  'tribe-ea-pending': imported('Pending'),
  'tribe-ea-draft': imported('Draft'),
  'tribe-ignored': imported('Ignored'),
};

const contextOf = ({ request }: CallContext): string => toStr(request.get('context') ?? 'view');

/** WP: what is not public is for those who write. */
const isShown = ({ isPublic, internal }: Status, user: User | null): boolean =>
  !internal && (isPublic === true || canWithPosts(user, 'edit'));

function present(name: string, { label, isPublic = false, floating = false }: Status, context: CallContext): Json {
  const isFull = contextOf(context) !== 'embed';
  const archive = name === 'publish' ? '/wp/v2/posts' : `/wp/v2/posts?status=${name}`;
  const mayFollow = name === 'publish' || canWithPosts(context.request.user, 'edit', POST);
  return {
    name: label,
    ...(contextOf(context) === 'edit' ? { private: name === 'private', protected: !isPublic && !['private', 'trash'].includes(name) } : {}),
    ...(isFull ? { public: isPublic, queryable: isPublic } : {}),
    ...(contextOf(context) === 'edit' ? { show_in_list: name !== 'trash' } : {}),
    slug: name,
    ...(isFull ? { date_floating: floating } : {}),
    ...(mayFollow || context.site.quirks.has('links-lead-to-refusals')
      ? { _links: { archives: [{ href: context.site.restUrl(archive) }] } }
      : {}),
  };
}

const mayList: Permission = (context) => {
  const { user } = context.request;
  if (contextOf(context) !== 'edit' || canWithPosts(user, 'edit')) return true;
  return refusal(user, 'rest_cannot_view', 'Sorry, you are not allowed to manage post statuses.');
};

const nameOf = ({ request }: CallContext): string => toStr(request.get('status'));

const mayRead: Permission = (context) => {
  const { user } = context.request;
  const name = nameOf(context);
  if (!Object.hasOwn(STATUSES, name)) return new RestError('rest_status_invalid', 'Invalid status.', 404);
  return isShown(STATUSES[name], user) || refusal(user, 'rest_cannot_read_status', 'Cannot view status.');
};

/** The core routes of the statuses of posts. */
export const statusAnswers: Answers<'list' | 'read'> = {
  list: {
    permission: mayList,
    handler: (context) => {
      const shown = Object.entries(STATUSES).filter(([, status]) => isShown(status, context.request.user));
      // WP: fields are cut twice, in each status and in the map of all; the links stay.
      const items = shown.map(([name, status]): [string, Json] => {
        const whole = present(name, status, context) as Record<string, Json>;
        return [name, { ...(filterFields(whole, context.request.get('_fields')) as object), _links: whole._links }];
      });
      return new RestResponse(Object.fromEntries(items));
    },
  },
  read: {
    permission: mayRead,
    handler: (context) => {
      const response = new RestResponse(present(nameOf(context), STATUSES[nameOf(context)], context));
      // WP: the links of a status stay, whatever fields are named.
      response.keepsLinks = true;
      return response;
    },
  },
};
