/**
 * Who may do what, as tables: the expected answer to every role × operation × ownership × status.
 * Written down from the specification of the service (roles and capabilities, statuses, single GET, DELETE), not from this implementation.
 *
 * A cell is what comes back:
 *
 *   ok            200
 *   publish …     200, and the status that the item has then
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
export type Owner = 'own' | 'others';

/** States of the items that the operations are tried on: `password` is published with one, `trash` was published, `trash/draft` was a draft. */
export const STATES = ['publish', 'password', 'future', 'draft', 'pending', 'private', 'trash', 'trash/draft'] as const;
export type State = (typeof STATES)[number];

export interface Row<Column extends string> {
  role: Role;
  owner: Owner;
  cells: Record<Column, string>;
}

const words = (line: string): string[] => line.trim().split(/\s+/);

/** A table as text: columns in the first line, then lines of role, ownership and cells. */
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

/** Reading a single event, by id or by slug: a trashed one is nobody's, one that is not public its author's and the editors'. */
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

/** Venues and organizers: passwords blank and do not lock, and the trash is open to those with the read right. */
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

/** Update by id without a status: it publishes, or makes a draft where the right to publish is missing. The date becomes now. */
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

/** Venues and organizers keep their date: what is to be published later stays so. */
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

/** By slug only the general right counts: everybody who may write at all may write to anybody's. */
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

/** Delete by id, the same for all three kinds: the right is asked for before the trash is looked into. */
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

/** The `status` of a write: a value, `absent`, and with `+date` a publication date to come. */
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
 * The status that comes of the one that is sent: on creation, and on the update of a draft of one's own. What may not be published
 * waits for review; what is wrong is refused before anybody is asked for his rights.
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

/** What lists show, of everybody's items: `any` is everything but the trash, `trash` all that is in there. */
export const LIST = table<Listed>(`
                        absent    publish   future    draft     pending   private   trash     draft,private   any   unknown
  administrator others  any       publish   future    draft     pending   private   trash     draft,private   400   400
  editor        others  any       publish   future    draft     pending   private   trash     draft,private   400   400
  author        others  any       publish   future    draft     pending   private   trash     draft,private   400   400
  contributor   others  any       publish   future    draft     pending   private   trash     draft,private   400   400
  subscriber    others  publish   publish   400       400       400       400       400       400             400   400
  anonymous     others  publish   publish   400       400       400       400       400       400             400   400
`);

/** How a published event with a password is asked for. `empty` is a password of no characters. */
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

/** Where there is nothing: ids and slugs that nobody has, and ids of another kind (a published venue of somebody else). */
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

/** Events: the general right decides for unknown ids, that for the very post for other kinds. */
export const ABSENT_EVENT = table<Absence>(`
                        read-id   update-id  delete-id  read-slug  update-slug  delete-slug  read-other  update-other  delete-other
  administrator others  missing   missing    missing    400        missing      400          other-type  other-type    other-type
  editor        others  missing   missing    missing    400        missing      400          other-type  other-type    other-type
  author        others  missing   missing    missing    400        missing      400          other-type  403           403
  contributor   others  missing   missing    missing    400        missing      400          other-type  403           403
  subscriber    others  missing   403        403        400        403          400          other-type  403           403
  anonymous     others  missing   401        401        400        401          400          other-type  401           401
`);

/** Venues and organizers: a wrong id is a wrong parameter, for everybody and before all else. */
export const ABSENT_LINKED = table<Absence>(`
                        read-id   update-id  delete-id  read-slug  update-slug  delete-slug  read-other  update-other  delete-other
  administrator others  400       400        400        400        400          400          400         400           400
  editor        others  400       400        400        400        400          400          400         400           400
  author        others  400       400        400        400        400          400          400         400           400
  contributor   others  400       400        400        400        400          400          400         400           400
  subscriber    others  400       400        400        400        400          400          400         400           400
  anonymous     others  400       400        400        400        400          400          400         400           400
`);

/** Operations on terms; `…-other` with the id of a term of the other taxonomy. */
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

/** Terms belong to nobody. Categories take the right to publish events, tags that to manage categories. */
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

/** Terms that an event names and that do not exist: whoever may create the event creates them. */
export const NAMING = table<'categories' | 'tags'>(`
                        categories  tags
  administrator own     created     created
  editor        own     created     created
  author        own     created     created
  contributor   own     created     created
  subscriber    own     403         403
  anonymous     others  401         401
`);
