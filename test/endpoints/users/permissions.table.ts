/**
 * Permissions as tables: the expected response for every role × operation × ownership × status.
 * Written from the specification of the service (roles and capabilities, statuses, single GET, DELETE), not from this implementation.
 *
 * Values of a cell:
 *
 *   ok            200
 *   publish …     200, and the resulting status of the item
 *   401  403      rest_forbidden
 *   400           rest_invalid_param
 *   hidden        403 <noun>-not-accessible
 *   locked        403 event-password-protected
 *   bin           403 event-no-longer-available
 *   gone          410 <noun>-is-in-trash
 *   missing       404 rest-event-not-found
 *   other-type    400 rest-invalid-event-id
 */

export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'anonymous'] as const;
export type Role = (typeof ROLES)[number];
type Owner = 'own' | 'others';

/** Initial states of the items: `password` is published with a password, `trash` was published before, `trash/draft` was a draft. */
export const STATES = ['publish', 'password', 'future', 'draft', 'pending', 'private', 'trash', 'trash/draft'] as const;
export type State = (typeof STATES)[number];

export interface Row<Column extends string> {
  role: Role;
  owner: Owner;
  cells: Record<Column, string>;
}

const words = (line: string): string[] => line.trim().split(/\s+/);

/** Parses a table: a line of column names, then lines of role, ownership and cells. */
function table<Column extends string>(text: string): Row<Column>[] {
  const [head, ...lines] = text.trim().split('\n').map(words);
  return lines.map(([role, owner, ...cells]) => {
    if (cells.length !== head.length) throw new Error(`${role} ${owner} has ${cells.length} cells for ${head.length} columns`);
    return {
      role: role as Role,
      owner: owner as Owner,
      cells: Object.fromEntries(head.map((name, i) => [name, cells[i]])) as Record<Column, string>,
    };
  });
}

/** Reading a single event by id or slug. Nobody can read a trashed one. One that is not public can be read by its author and by editors. */
export const READ_EVENT = table<State>(`
                        publish   password  future    draft     pending   private   trash     trash/draft
  administrator own     ok        locked    ok        ok        ok        ok        bin       bin
  administrator others  ok        locked    ok        ok        ok        ok        bin       bin
  editor        own     ok        locked    ok        ok        ok        ok        bin       bin
  editor        others  ok        locked    ok        ok        ok        ok        bin       bin
  author        own     ok        locked    ok        ok        ok        ok        bin       bin
  author        others  ok        locked    hidden    hidden    hidden    hidden    bin       bin
  contributor   own     ok        locked    ok        ok        ok        ok        bin       bin
  contributor   others  ok        locked    hidden    hidden    hidden    hidden    bin       bin
  subscriber    own     ok        locked    ok        ok        ok        ok        bin       bin
  subscriber    others  ok        locked    hidden    hidden    hidden    hidden    bin       bin
  anonymous     others  ok        locked    hidden    hidden    hidden    hidden    bin       bin
`);

/**
 * Venues and organizers: a password blanks fields but does not lock the item, and users with the read capability can read trashed items.
 */
export const READ_LINKED = table<State>(`
                        publish   password  future    draft     pending   private   trash     trash/draft
  administrator own     ok        ok        ok        ok        ok        ok        ok        ok
  administrator others  ok        ok        ok        ok        ok        ok        ok        ok
  editor        own     ok        ok        ok        ok        ok        ok        ok        ok
  editor        others  ok        ok        ok        ok        ok        ok        ok        ok
  author        own     ok        ok        ok        ok        ok        ok        ok        ok
  author        others  ok        ok        hidden    hidden    hidden    hidden    hidden    hidden
  contributor   own     ok        ok        ok        ok        ok        ok        ok        ok
  contributor   others  ok        ok        hidden    hidden    hidden    hidden    hidden    hidden
  subscriber    own     ok        ok        ok        ok        ok        ok        ok        ok
  subscriber    others  ok        ok        hidden    hidden    hidden    hidden    hidden    hidden
  anonymous     others  ok        ok        hidden    hidden    hidden    hidden    hidden    hidden
`);

/**
 * Update by id without a status: it publishes the event, or makes it a draft if the user may not publish. The date becomes the current
 * time.
 */
export const UPDATE_EVENT_BY_ID = table<State>(`
                        publish   password  future    draft     pending   private   trash     trash/draft
  administrator own     publish   publish   publish   publish   publish   publish   publish   publish
  administrator others  publish   publish   publish   publish   publish   publish   publish   publish
  editor        own     publish   publish   publish   publish   publish   publish   publish   publish
  editor        others  publish   publish   publish   publish   publish   publish   publish   publish
  author        own     publish   publish   publish   publish   publish   publish   publish   publish
  author        others  403       403       403       403       403       403       403       403
  contributor   own     403       403       403       draft     draft     draft     403       draft
  contributor   others  403       403       403       403       403       403       403       403
  subscriber    own     403       403       403       403       403       403       403       403
  subscriber    others  403       403       403       403       403       403       403       403
  anonymous     others  401       401       401       401       401       401       401       401
`);

/** Venues and organizers keep their date, so scheduled ones stay scheduled. */
export const UPDATE_LINKED_BY_ID = table<State>(`
                        publish   password  future    draft     pending   private   trash     trash/draft
  administrator own     publish   publish   future    publish   publish   publish   publish   publish
  administrator others  publish   publish   future    publish   publish   publish   publish   publish
  editor        own     publish   publish   future    publish   publish   publish   publish   publish
  editor        others  publish   publish   future    publish   publish   publish   publish   publish
  author        own     publish   publish   future    publish   publish   publish   publish   publish
  author        others  403       403       403       403       403       403       403       403
  contributor   own     403       403       403       draft     draft     draft     403       draft
  contributor   others  403       403       403       403       403       403       403       403
  subscriber    own     403       403       403       403       403       403       403       403
  subscriber    others  403       403       403       403       403       403       403       403
  anonymous     others  401       401       401       401       401       401       401       401
`);

/** An update by slug checks only the general capability: users who may edit their own items may edit everyone's. */
export const UPDATE_EVENT_BY_SLUG = table<State>(`
                        publish   password  future    draft     pending   private   trash     trash/draft
  administrator own     publish   publish   publish   publish   publish   publish   publish   publish
  administrator others  publish   publish   publish   publish   publish   publish   publish   publish
  editor        own     publish   publish   publish   publish   publish   publish   publish   publish
  editor        others  publish   publish   publish   publish   publish   publish   publish   publish
  author        own     publish   publish   publish   publish   publish   publish   publish   publish
  author        others  publish   publish   publish   publish   publish   publish   publish   publish
  contributor   own     draft     draft     draft     draft     draft     draft     draft     draft
  contributor   others  draft     draft     draft     draft     draft     draft     draft     draft
  subscriber    own     403       403       403       403       403       403       403       403
  subscriber    others  403       403       403       403       403       403       403       403
  anonymous     others  401       401       401       401       401       401       401       401
`);

export const UPDATE_LINKED_BY_SLUG = table<State>(`
                        publish   password  future    draft     pending   private   trash     trash/draft
  administrator own     publish   publish   future    publish   publish   publish   publish   publish
  administrator others  publish   publish   future    publish   publish   publish   publish   publish
  editor        own     publish   publish   future    publish   publish   publish   publish   publish
  editor        others  publish   publish   future    publish   publish   publish   publish   publish
  author        own     publish   publish   future    publish   publish   publish   publish   publish
  author        others  publish   publish   future    publish   publish   publish   publish   publish
  contributor   own     draft     draft     draft     draft     draft     draft     draft     draft
  contributor   others  draft     draft     draft     draft     draft     draft     draft     draft
  subscriber    own     403       403       403       403       403       403       403       403
  subscriber    others  403       403       403       403       403       403       403       403
  anonymous     others  401       401       401       401       401       401       401       401
`);

/** Delete by id, the same for all three types: the capability is checked before the trash. */
export const DELETE_BY_ID = table<State>(`
                        publish   password  future    draft     pending   private   trash     trash/draft
  administrator own     trash     trash     trash     trash     trash     trash     gone      gone
  administrator others  trash     trash     trash     trash     trash     trash     gone      gone
  editor        own     trash     trash     trash     trash     trash     trash     gone      gone
  editor        others  trash     trash     trash     trash     trash     trash     gone      gone
  author        own     trash     trash     trash     trash     trash     trash     gone      gone
  author        others  403       403       403       403       403       403       403       403
  contributor   own     403       403       403       trash     trash     trash     403       gone
  contributor   others  403       403       403       403       403       403       403       403
  subscriber    own     403       403       403       403       403       403       403       403
  subscriber    others  403       403       403       403       403       403       403       403
  anonymous     others  401       401       401       401       401       401       401       401
`);

export const DELETE_BY_SLUG = table<State>(`
                        publish   password  future    draft     pending   private   trash     trash/draft
  administrator own     trash     trash     trash     trash     trash     trash     gone      gone
  administrator others  trash     trash     trash     trash     trash     trash     gone      gone
  editor        own     trash     trash     trash     trash     trash     trash     gone      gone
  editor        others  trash     trash     trash     trash     trash     trash     gone      gone
  author        own     trash     trash     trash     trash     trash     trash     gone      gone
  author        others  trash     trash     trash     trash     trash     trash     gone      gone
  contributor   own     trash     trash     trash     trash     trash     trash     gone      gone
  contributor   others  trash     trash     trash     trash     trash     trash     gone      gone
  subscriber    own     403       403       403       403       403       403       403       403
  subscriber    others  403       403       403       403       403       403       403       403
  anonymous     others  401       401       401       401       401       401       401       401
`);

/** The `status` of a write: a value or `absent`. `+date` adds a future publication date. */
export const SENT = [
  'absent',
  'publish',
  'publish+date',
  'future',
  'future+date',
  'draft',
  'pending',
  'private',
  'trash',
  'auto-draft',
  'any',
  'empty',
  'unknown',
] as const;
export type Sent = (typeof SENT)[number];

/**
 * The resulting status, by the status that is sent, for creations and for updates of the user's own drafts. Without the capability to
 * publish, the item becomes pending. Invalid values are rejected before capabilities are checked.
 */
export const STATUS_SCALING = table<Sent>(`
                        absent    publish   publish+date  future    future+date  draft   pending   private   trash   auto-draft   any   empty   unknown
  administrator own     publish   publish   future        publish   future       draft   pending   private   trash   auto-draft   400   400     400
  editor        own     publish   publish   future        publish   future       draft   pending   private   trash   auto-draft   400   400     400
  author        own     publish   publish   future        publish   future       draft   pending   private   trash   auto-draft   400   400     400
  contributor   own     draft     pending   pending       pending   pending      draft   pending   private   trash   auto-draft   400   400     400
  subscriber    own     403       403       403           403       403          403     403       403       403     403          400   400     400
  anonymous     others  401       401       401           401       401          401     401       401       401     401          400   400     400
`);

/** The `status` of a list: one or several (`draft,private`). */
export const LISTED = ['absent', 'publish', 'future', 'draft', 'pending', 'private', 'trash', 'draft,private', 'any', 'unknown'] as const;
export type Listed = (typeof LISTED)[number];

/** Statuses in lists of everyone's items: `any` is everything except the trash, `trash` only the trash. */
export const LIST = table<Listed>(`
                        absent    publish   future    draft     pending   private   trash     draft,private   any   unknown
  administrator others  any       publish   future    draft     pending   private   trash     draft,private   400   400
  editor        others  any       publish   future    draft     pending   private   trash     draft,private   400   400
  author        others  any       publish   future    draft     pending   private   trash     draft,private   400   400
  contributor   others  any       publish   future    draft     pending   private   trash     draft,private   400   400
  subscriber    others  publish   publish   400       400       400       400       400       400             400   400
  anonymous     others  publish   publish   400       400       400       400       400       400             400   400
`);

/** Requests for a published event with a password. `empty` is an empty password. */
export const KEYS = ['nothing', 'right', 'wrong', 'empty', 'edit'] as const;
export type Key = (typeof KEYS)[number];

export const PASSWORD = table<Key>(`
                        nothing   right   wrong    empty   edit
  administrator own     locked    ok      locked   400     ok
  administrator others  locked    ok      locked   400     ok
  editor        own     locked    ok      locked   400     ok
  editor        others  locked    ok      locked   400     ok
  author        own     locked    ok      locked   400     ok
  author        others  locked    ok      locked   400     locked
  contributor   own     locked    ok      locked   400     locked
  contributor   others  locked    ok      locked   400     locked
  subscriber    own     locked    ok      locked   400     locked
  subscriber    others  locked    ok      locked   400     locked
  anonymous     others  locked    ok      locked   400     locked
`);

/** Missing items: unknown ids and slugs, and ids of another type (another user's published venue). */
export const ABSENCES = [
  'read-id',
  'update-id',
  'delete-id',
  'read-slug',
  'update-slug',
  'delete-slug',
  'read-other',
  'update-other',
  'delete-other',
] as const;
export type Absence = (typeof ABSENCES)[number];

/** Events: unknown ids check the general capability. Ids of other types check the capability for that post. */
export const ABSENT_EVENT = table<Absence>(`
                        read-id   update-id  delete-id  read-slug  update-slug  delete-slug  read-other  update-other  delete-other
  administrator others  missing   missing    missing    400        missing      400          other-type  other-type    other-type
  editor        others  missing   missing    missing    400        missing      400          other-type  other-type    other-type
  author        others  missing   missing    missing    400        missing      400          other-type  403           403
  contributor   others  missing   missing    missing    400        missing      400          other-type  403           403
  subscriber    others  missing   403        403        400        403          400          other-type  403           403
  anonymous     others  missing   401        401        400        401          400          other-type  401           401
`);

/** Venues and organizers: a wrong id is an invalid parameter, for every role and before all other checks. */
export const ABSENT_LINKED = table<Absence>(`
                        read-id   update-id  delete-id  read-slug  update-slug  delete-slug  read-other  update-other  delete-other
  administrator others  400       400        400        400        400          400          400         400           400
  editor        others  400       400        400        400        400          400          400         400           400
  author        others  400       400        400        400        400          400          400         400           400
  contributor   others  400       400        400        400        400          400          400         400           400
  subscriber    others  400       400        400        400        400          400          400         400           400
  anonymous     others  400       400        400        400        400          400          400         400           400
`);

/** Operations on terms. `…-other` uses the id of a term of the other taxonomy. */
export const TERM_OPERATIONS = [
  'list',
  'read',
  'create',
  'update',
  'delete',
  'read-none',
  'update-none',
  'delete-none',
  'read-other',
  'update-other',
  'delete-other',
] as const;
export type TermOperation = (typeof TERM_OPERATIONS)[number];

/** Terms have no owner. Categories require the capability to publish events, tags the capability to manage categories. */
export const CATEGORIES = table<TermOperation>(`
                        list  read  create   update  delete  read-none  update-none  delete-none  read-other  update-other  delete-other
  administrator others  ok    ok    created  ok      ok      400        400          400          400         400           400
  editor        others  ok    ok    created  ok      ok      400        400          400          400         400           400
  author        others  ok    ok    created  ok      ok      400        400          400          400         400           400
  contributor   others  ok    ok    403      403     403     400        400          400          400         400           400
  subscriber    others  ok    ok    403      403     403     400        400          400          400         400           400
  anonymous     others  ok    ok    401      401     401     400        400          400          400         400           400
`);

export const TAGS = table<TermOperation>(`
                        list  read  create   update  delete  read-none  update-none  delete-none  read-other  update-other  delete-other
  administrator others  ok    ok    created  ok      ok      400        400          400          400         400           400
  editor        others  ok    ok    created  ok      ok      400        400          400          400         400           400
  author        others  ok    ok    403      403     403     400        400          400          400         400           400
  contributor   others  ok    ok    403      403     403     400        400          400          400         400           400
  subscriber    others  ok    ok    403      403     403     400        400          400          400         400           400
  anonymous     others  ok    ok    401      401     401     400        400          400          400         400           400
`);

/** An event that names unknown terms creates them if its author may create the event. */
export const NAMING = table<'categories' | 'tags'>(`
                        categories  tags
  administrator own     created     created
  editor        own     created     created
  author        own     created     created
  contributor   own     created     created
  subscriber    own     403         403
  anonymous     others  401         401
`);
