import * as yup from 'yup';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, eachLinked } from '../../../plugins/the-events-calendar/model/event.js';
import type { LinkedKind, Field, Fields } from '../../../plugins/the-events-calendar/model/event.js';
import { PRODUCTS, releaseProblem } from '../../../plugins/quirks.js';
import { CALENDAR } from '../../../plugins/the-events-calendar/quirks/version.js';
import { pluginProblem, type LoadedContent } from '../../../plugins/register.js';
import { WORDPRESS } from '../../../wordpress/quirks.js';
import { zoneReleaseProblem } from '../../../base/php/zone-data.js';
import { NOTE_STATUSES, POST_FORMATS } from '../../../wordpress/model.js';
import { normalizePassword } from '../../../wordpress/users/users.js';
import { faultless } from '../../../base/values/faultless.js';
import { linkName } from '../../fields.js';
import { DURATION } from '../../dates.js';
import type { Problems } from '../../source.js';
import type { AddedRules } from './content.js';
import {
  checkAgainst,
  filled,
  present,
  flagRule,
  idRule as number,
  listRule,
  mapOf,
  MUST_EXIST,
  oneOf,
  pathBelow,
  record,
  textRule,
  about,
  wholeFrom,
  wholeRule,
} from '../schema.js';
import { settingsRecord } from '../../settings/settings.js';
import { zone } from '../zone-rule.js';
import { datasetFields } from './values.js';
import { itemTerms, registeredLists, registeredSections } from './registered/declaration.js';
import { itemFields } from './rest-fields/declaration.js';
import jsonSchemas from '../dataset-schemas.json' with { type: 'json' };
import { stub } from './stub-declaration.js';
import { MOMENT, readMoment } from '../../../base/text/moment.js';

/**
 * The dataset format that people write, as JSON or YAML. Ids are optional, references are slugs (or the names that slugs are made from),
 * dates may be relative to the clock (`dates.ts`). Fields are named as in the API. Editors show the descriptions.
 */

/** How to handle a reference to an item that the file does not contain. */
const CREATED = 'Created on first mention.';

const references = () => listRule(filled());
const POSITIONS = ['prefix', 'postfix'] as const;
const POST_STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const;
/** WP: a user without a role; in a network of sites, no member of this one. */
export const NO_ROLE = 'none';

export const ROLE_NAMES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;

const currency = () =>
  record({ symbol: textRule(), code: textRule(), position: oneOf(POSITIONS) })
    .optional()
    .default(undefined);

/** `{ "key": "value" }` or `{ "key": ["first", "second"] }`. Values of declared keys may be of other types; `metaRows` checks them. */
const meta = () =>
  mapOf(yup.lazy(() => yup.mixed().defined(MUST_EXIST).nonNullable('must not be null. Leave it out instead'))).meta({
    ...about('Additional post meta: strings, lists of strings, and what the types of declared keys are.'),
    jsonSchema: {
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean', 'array', 'object'] },
    },
  });

const id = () => number().meta(about('Id in the API. Assigned if absent.'));
const slug = () => textRule().meta(about('Used in URLs and references. Default: made from the name or title.'));
const author = () => textRule().meta(about('Login of the author. Default: the administrator.'));
const date = () => textRule().meta(about('Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now.'));
const modified = () => textRule().meta(about('Date of the last change. Default: date, or now if that is later.'));
const utcDate = (of: string) =>
  textRule().meta(about(`${of} in UTC, where the site stored another than its time zone says. Default: from ${of}.`));
const parent = () => textRule().meta(about('Slug of another entry of the same kind.'));

const COMMENT_STATUSES = ['approved', 'hold', 'spam', 'trash', 'post-trashed'] as const;

/** Named as in `wp/v2`. */
const comment = {
  id: id(),
  parent: number().meta(about('Id of the comment that it replies to.')),
  author: textRule().meta(about('Login of the author. Default: a guest.')),
  author_name: textRule().meta(about("Default: the user's.")),
  author_email: textRule().meta(about("Default: the user's.")),
  author_url: textRule().meta(about("Default: the user's.")),
  author_ip: textRule(),
  author_user_agent: textRule(),
  date: textRule().meta(about('Such as "2026-08-01 19:30" or "-3d 10:00". Default: now.')),
  status: oneOf(COMMENT_STATUSES).meta(about('Default: approved.')),
  status_before: oneOf(COMMENT_STATUSES).meta(about('Status before it went to the trash or to spam.')),
  fields: itemFields(),
  type: textRule().meta(about('Default: comment. `note`: for the editors of the post.')),
  note_status: oneOf(NOTE_STATUSES).meta(about('What a note does to the note that it replies to. It may have no content then.')),
  content: present(),
};

const postComment = record(comment);
const freeComment = record({
  ...comment,
  post: yup
    .lazy((value: unknown) => (typeof value === 'number' ? number() : filled().optional()))
    .meta({
      ...about('Id or slug of the post that it is on. Default: none.'),
      jsonSchema: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    }),
});

const comments = () => listRule(postComment).meta(about('Comments, the replies after what they reply to.'));

/** Fields that all kinds of posts share. */
const page = {
  id: id(),
  slug: slug(),
  author: author(),
  status: oneOf(POST_STATUSES).meta(about('Default: publish.')),
  date: date(),
  date_gmt: utcDate('date'),
  modified: modified(),
  modified_gmt: utcDate('modified'),
  password: textRule().meta(about('Password that visitors must enter to see it.')),
  meta: meta(),
  terms: itemTerms(),
  fields: itemFields(),
  description: textRule(),
  excerpt: textRule(),
  image: textRule().meta(about('Slug of an entry in media, or placeholder, placeholder(1200x630) or placeholder(1200x630, "Text").')),
};

/** The same for posts of plugins, which have no picture and no terms. */
const { description: _description, excerpt: _excerpt, image: _picture, terms: _terms, ...ofPlugins } = page;

/** A release of WordPress or of a plugin. */
const releaseRule = (product: string) =>
  textRule()
    .test(
      'release',
      faultless((value) => releaseProblem(product, value)),
    )
    .meta(about(`Release of ${PRODUCTS[product].title} to behave like.`));

const site = record({
  name: textRule(),
  url: textRule()
    .matches(/^https?:\/\/[^/?#]+(?:\/[^?#]*)?$/, { message: 'must be an address such as "https://example.org"', excludeEmptyString: true })
    .meta(about('Address of the site in the links of this file. They lead to the server that loads it.')),
  description: textRule(),
  admin_email: textRule(),
  timezone: zone(),
  posts_per_page: number(),
  currency: currency(),
  comment_moderation: flagRule().meta(about('Whether every comment waits for a moderator.')),
  comment_previously_approved: flagRule().meta(
    about('Whether authors whose comments were never approved wait for a moderator. Default: true.'),
  ),
  require_name_email: flagRule().meta(about('Whether authors of comments need a name and an email address. Default: true.')),
  comment_max_links: wholeFrom(0).meta(about('Comments with at least this many links wait for a moderator. Default: 2; 0: none do.')),
  moderation_keys: listRule(filled()).meta(about('Comments with any of these words wait for a moderator.')),
  disallowed_keys: listRule(filled()).meta(about('Comments with any of these words go to the trash.')),
  settings: settingsRecord()
    .optional()
    .default(undefined)
    .meta(about('Further settings of WordPress and The Events Calendar, such as permalinks: /%year%/%postname%/.')),
  plugins: listRule(filled().test('plugin', faultless(pluginProblem))).meta(
    about('Plugins of the site besides The Events Calendar, such as event-tickets.'),
  ),
  jwt_secret: textRule()
    .matches(/\S/, 'must not be empty')
    .meta(about('Secret of the tokens of jwt-authentication-for-wp-rest-api. Default: a random one.')),
  wordpress: releaseRule(WORDPRESS.name),
  tec_version: releaseRule(CALENDAR),
  zones: textRule()
    .test('zones', faultless(zoneReleaseProblem))
    .meta(about('Release of the time zone data, such as "2025b". Default: the newest.')),
})
  .optional()
  .default(undefined)
  .meta(about('Settings of the site.'));

const user = record({
  id: id(),
  login: filled(),
  email: textRule(),
  name: textRule(),
  url: textRule(),
  avatar: textRule()
    .matches(/^(?:[\da-f]{32}){1,2}$/, 'must be the SHA-256 or MD5 of an email address')
    .meta(about('Hash of the email address whose picture Gravatar shows, where that is not email.')),
  role: oneOf([...ROLE_NAMES, NO_ROLE]).required(MUST_EXIST),
  super_admin: flagRule().meta(about('Whether the user may do everything in a network of sites.')),
  password: filled().optional().meta(about('Account password.')),
  application_password: filled()
    .optional()
    .test('letters', 'must contain letters or digits', (value) => value === undefined || normalizePassword(value) !== '')
    .meta(about('Application password for the REST API.')),
  fields: itemFields(),
});

const termFields = { id: id(), slug: slug(), name: filled(), description: textRule(), fields: itemFields() };
const tag = record(termFields);
const category = record({ ...termFields, parent: parent() });

const medium = record({
  id: id(),
  slug: slug(),
  author: author(),
  date: date(),
  date_gmt: utcDate('date'),
  modified: modified(),
  modified_gmt: utcDate('modified'),
  /** Path relative to the folder `uploads` next to the dataset, and relative to the uploads of the site. */
  file: pathBelow().meta(about('Path relative to uploads.')),
  title: textRule(),
  alt: textRule(),
  caption: textRule(),
  description: textRule(),
  meta: meta(),
  terms: itemTerms(),
  fields: itemFields(),
});

/** Degrees between `-most` and `most`. */
const degrees = (most: number) =>
  yup
    .number()
    .strict()
    .typeError('must be a number of degrees')
    .nonNullable('must not be null. Leave it out instead')
    .test('degrees', `must be between -${most} and ${most}`, (value) => value === undefined || Math.abs(value) <= most);

const bare = (field: Field) => (field.kind === 'flag' ? flagRule() : field.kind === 'coordinate' ? degrees(field.most) : textRule());

const declared = (field: Field) => (field.definition === undefined ? bare(field) : bare(field).meta(about(field.definition)));

/** Declarations by field name. They come from tables, so the types of files do not include them; readers look up each value. */
type Declarations = object;

const tableFields = (table: Fields): Declarations =>
  Object.fromEntries(datasetFields(table).map(({ formatName, field }) => [formatName, declared(field)]));

const links = (): Declarations =>
  Object.fromEntries(
    LINKED_KINDS.map((kind) => [
      linkName(kind),
      LINKED[kind].many
        ? references().meta(about(`Slugs or names of ${LINKED[kind].column}. ${CREATED}`))
        : textRule().meta(about(`Slug or name of a ${kind}. ${CREATED}`)),
    ]),
  );

const linked = (kind: LinkedKind) => record({ ...page, name: filled(), ...tableFields(LINKED[kind].fields) });

const ONE_PRICE = { anyOf: [{ type: 'string' }, { type: 'number', minimum: 0 }] };
const price = (value: unknown) => (typeof value === 'number' ? yup.number().strict().min(0, 'must not be negative') : textRule());
const cost = yup
  .lazy((value: unknown) => (Array.isArray(value) ? listRule(yup.lazy((part: unknown) => price(part))) : price(value)))
  .meta({
    ...about('A number, a string or several of them: 12, "€12", "Free", [8, 12].'),
    jsonSchema: { anyOf: [...ONE_PRICE.anyOf, { type: 'array', items: ONE_PRICE }] },
  });

const repeatFields = {
  every: filled().meta(about('Such as "week", "2 weeks", "monthly" or "weekdays".')),
  on: listRule(yup.lazy((value: unknown) => (typeof value === 'number' ? yup.number().strict().defined() : filled()))).meta({
    ...about('Days such as "tue", "2nd tue", "last fri" or 15. Default: the day of the start.'),
    jsonSchema: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
  }),
  times: number().meta(about('How many dates the series has.')),
  until: textRule().meta(about('Its last date, such as "2026-12-31" or "+3m".')),
  except: listRule(filled()).meta(about('Dates without an event.')),
};
const repeatRecord = record(repeatFields);

/** A text is read in `repeat.ts`. */
const repeat = yup
  .lazy((value: unknown) => (typeof value === 'string' ? filled() : repeatRecord.optional().default(undefined)))
  .meta({
    ...about('Makes further events: "weekly × 10", "every 2 weeks on tue, thu until +3m", or an object.'),
    jsonSchema: jsonSchemas.repeat,
  });

/** @param added members of plugins */
const eventRule = (added?: object) =>
  record({
    ...page,
    title: filled(),
    start: filled().meta(
      about('Such as "2026-08-01 19:30", "2026-08-01T19:30:00+02:00", "+3d 10:00 Europe/Berlin" or "next friday 19:30".'),
    ),
    end: textRule().meta(about('A date as in start, or a time of day after the start.')),
    duration: textRule().meta({ ...about('Instead of end: "90min", "1h 30min", "2d".'), jsonSchema: { pattern: DURATION.source } }),
    timezone: zone(),
    all_day: flagRule().meta(about('Lasts from the start of the first day to the end of the last.')),
    repeat,
    ...links(),
    categories: references().meta(about(`Slugs or names of categories. ${CREATED}`)),
    tags: references().meta(about(`Slugs or names of tags. ${CREATED}`)),
    cost,
    currency: currency(),
    sticky: flagRule().meta(about('Kept at the top of the month view.')),
    ticketed: flagRule().meta(about('Whether the event has tickets.')),
    ...tableFields(EVENT_FIELDS),
    parent: parent(),
    ...added,
    comments: comments(),
  }).meta({
    // `dates.ts` checks this when it computes the times.
    jsonSchema: jsonSchemas.event,
  });

const statuses = ['open', 'closed'] as const;

const { description: _text, ...withContent } = page;

/** Fields of blog posts and pages. They are named as in `wp/v2`. */
const blogFields = {
  ...withContent,
  title: filled(),
  content: textRule(),
  comment_status: oneOf(statuses).meta(about('Whether comments are open. Default: as in the settings of the site.')),
  ping_status: oneOf(statuses).meta(about('Whether pings are open. Default: as in the settings of the site.')),
  comments: comments(),
};

const blogPost = record({
  ...blogFields,
  categories: references().meta(about(`Slugs or names of post_categories. ${CREATED}`)),
  tags: references().meta(about(`Slugs or names of tags. ${CREATED}`)),
  sticky: flagRule().meta(about('Kept at the top of the blog.')),
  format: oneOf(POST_FORMATS).meta(about('Default: standard.')),
});

const pageFields = {
  parent: parent(),
  menu_order: wholeRule(),
  template: textRule().meta(about('File name of a template of the theme.')),
};

const ownItem = {
  ...blogFields,
  categories: references().meta(about(`Slugs or names of post_categories. ${CREATED}`)),
  tags: references().meta(about(`Slugs or names of tags. ${CREATED}`)),
  ...pageFields,
};

/** @param added members of plugins */
const pageRule = (added?: object) => record({ ...blogFields, ...pageFields, ...added });

/** Posts that others show: patterns, and navigation. */
const { image: _image, terms: _, ...withoutImage } = withContent;
const shownFields = { ...withoutImage, title: filled(), content: textRule() };

const pattern = record({
  ...shownFields,
  categories: references().meta(about(`Slugs or names of pattern_categories. ${CREATED}`)),
});
const navigationMenu = record(shownFields);

const reference = (what: string) =>
  yup
    .lazy((value: unknown) => (typeof value === 'number' ? number() : filled().optional()))
    .meta({ ...about(what), jsonSchema: { anyOf: [{ type: 'integer' }, { type: 'string' }] } });

const menuItem = record({
  id: id(),
  slug: slug(),
  parent: number().meta(about('Id of the item below which it stands.')),
  title: textRule().meta(about('Default: the title of what it leads to.')),
  url: textRule().meta(about('Address that it leads to.')),
  post: reference('Id or slug of the event, page or other post that it leads to.'),
  term: reference('Id or slug of the category or tag that it leads to.'),
  archive: textRule().meta(about('Type of the posts whose list it leads to, such as tribe_events.')),
  menu_order: number().meta(about('Position. Default: the place in this list.')),
  target: oneOf(['_blank']).meta(about('Opens in another tab.')),
  classes: listRule(filled()).meta(about('CSS classes.')),
  xfn: listRule(filled()).meta(about('Relationships to the owner of the linked site (XFN).')),
  attr_title: textRule().meta(about('Title attribute of the link.')),
  description: textRule(),
  author: author(),
  status: oneOf(['publish', 'draft']).meta(about('Default: publish.')),
  date: date(),
  meta: meta(),
  fields: itemFields(),
});

const menu = record({
  id: id(),
  slug: slug(),
  name: filled(),
  description: textRule(),
  fields: itemFields(),
  auto_add: flagRule().meta(about('New pages at the top are added to it.')),
  items: listRule(menuItem).meta(about('Its items, in their order.')),
});

const fileRule = ({ lists, events, pages }: AddedRules) =>
  record({
    $schema: textRule().meta(about('URL of this schema.')),
    site,
    clock: textRule()
      .test('clock', 'is not a date such as "2026-06-15T12:00:00Z"', (value) => value === undefined || readMoment(value) !== null)
      .meta({
        ...about('Time at which the clock is frozen, such as 2026-06-15T12:00:00Z. Without it, relative dates follow the real time.'),
        jsonSchema: { pattern: MOMENT.source },
      }),
    ...registeredSections,
    users: listRule(user).meta(about('Users of the site.')),
    categories: listRule(category).meta(about('Event categories, referenced by slug.')),
    tags: listRule(tag).meta(about('Event tags, referenced by slug.')),
    media: listRule(medium).meta(about('Images and other files in the folder uploads next to this file.')),
    ...eachLinked((kind) => listRule(linked(kind))),
    events: listRule(eventRule(events)),
    post_categories: listRule(category).meta(about('Categories of blog posts, referenced by slug.')),
    posts: listRule(blogPost).meta(about('Blog posts.')),
    pages: listRule(pageRule(pages)).meta(about('Pages.')),
    pattern_categories: listRule(tag).meta(about('Categories of patterns, referenced by slug.')),
    patterns: listRule(pattern).meta(about('Blocks that posts show by their number: <!-- wp:block {"ref":12} /-->.')),
    navigation: listRule(navigationMenu).meta(about('Navigation made of blocks.')),
    menus: listRule(menu).meta(about('Menus with their items.')),
    ...registeredLists(ownItem),
    ...lists,
    comments: listRule(freeComment).meta(about('Comments that are not on an entry of events, posts or pages.')),
    stubs: listRule(stub).meta(about('Responses for requests to any route of the site. Files are in the folder stubs next to this file.')),
  });

const made = new WeakMap<readonly LoadedContent[], ReturnType<typeof fileRule>>();

export function fileOf(contents: readonly LoadedContent[]): ReturnType<typeof fileRule> {
  const known = made.get(contents);
  if (known) return known;
  const added = contents.map(({ dataset }) => dataset?.rules(ofPlugins) ?? {});
  const all = (part: keyof AddedRules): object => Object.assign({}, ...added.map((rules) => rules[part])) as object;
  const rule = fileRule({ lists: all('lists'), events: all('events'), pages: all('pages') });
  made.set(contents, rule);
  return rule;
}

export type DatasetFile = yup.InferType<ReturnType<typeof fileRule>>;
export type DeclaredSite = yup.InferType<typeof site>;
export type DeclaredUser = yup.InferType<typeof user>;
export type DatasetMedium = yup.InferType<typeof medium>;
export type DatasetLinked = yup.InferType<ReturnType<typeof linked>>;
export type DeclaredEvent = yup.InferType<ReturnType<typeof eventRule>>;
export type DeclaredRepeat = yup.InferType<typeof repeatRecord>;
export type DeclaredPost = yup.InferType<typeof blogPost>;
export type DeclaredPage = yup.InferType<ReturnType<typeof pageRule>>;
export type DatasetPostComment = yup.InferType<typeof postComment>;
const ownRecord = record(ownItem);
export type DeclaredItem = yup.InferType<typeof ownRecord>;
export type DeclaredPattern = yup.InferType<typeof pattern>;
export type DeclaredMenu = yup.InferType<typeof menu>;
export type DatasetMenuItem = yup.InferType<typeof menuItem>;
export type DatasetTerm = yup.InferType<typeof category>;

/** Whether a value has the structure of this format. References are resolved by `read.ts`. */
export const isDatasetFile = (value: unknown, contents: readonly LoadedContent[], problems: Problems): value is DatasetFile =>
  checkAgainst(fileOf(contents), value, problems);
