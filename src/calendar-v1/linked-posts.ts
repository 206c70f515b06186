import { canRead, canWithPosts } from '../wp/users/capabilities.js';
import { antispam } from '../wp/formatting/email.js';
import { jsonLdName } from '../wp/formatting/json-ld-text.js';
import { escHtml } from '../wp/formatting/sanitize.js';
import type { Post } from '../wp/model.js';
import { coordinatesOf } from '../tec/coordinates.js';
import { markedTitle, shownContent, shownExcerpt, shownJsonLdDescription, shownTitle } from '../wp/rendered.js';
import { readText, readTexts, type Fields, type TextNames } from '../tec/field.js';
import { readFlag } from '../tec/flags.js';
import { ORGANIZER_FIELDS } from '../tec/organizer.js';
import { shownRegion } from '../tec/region.js';
import { VENUE_FIELDS } from '../tec/venue.js';
import { globalId, globalIdLineage, imageOf, isWithheld, permalink, type View } from './view.js';
import type { Organizer, PersonJsonLd, PlaceJsonLd, PostalAddress, Venue } from '../types.js';

const isEmpty = (value: unknown): boolean => value === '' || value === '0' || value === false || value === 0 || value === undefined;

/** TEC: venues and organizers have no key for what is empty. */
function withoutEmpty<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<T>;
}

/**
 * Whether the `json_ld` of a venue or organizer is shown to a caller within an event.
 * TEC: published ones to all, drafts and trashed ones to anybody logged in, private ones to those who may read them, protected ones to nobody.
 */
export function showsLinkedJsonLd(post: Post, { user }: View): boolean {
  if (post.password !== '') return false;
  if (post.status === 'publish') return true;
  return post.status === 'private' ? canWithPosts(user, 'read_private') : user !== null;
}

function postalAddress(post: Post): PostalAddress {
  const { address, city, zip, country, ...region } = readTexts(post, VENUE_FIELDS);
  return {
    '@type': 'PostalAddress',
    ...withoutEmpty({
      streetAddress: escHtml(address),
      addressLocality: escHtml(city),
      addressRegion: escHtml(shownRegion({ ...region, country })),
      postalCode: escHtml(zip),
      addressCountry: escHtml(country),
    }),
  };
}

const jsonLdImage = (post: Post, view: View): { image?: string } => {
  const image = imageOf(post, view);
  return image ? { image: image.url } : {};
};

export function venueJsonLd(post: Post, view: View): PlaceJsonLd {
  return {
    '@type': 'Place',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post),
    ...jsonLdImage(post, view),
    // TEC: only the pro plugin has venue pages.
    url: '',
    address: postalAddress(post),
    ...geoJsonLd(post, view),
    telephone: escHtml(readText(post, VENUE_FIELDS.phone)),
    sameAs: readText(post, VENUE_FIELDS.website),
  };
}

export function organizerJsonLd(post: Post, view: View): PersonJsonLd {
  const { phone, website, email } = readTexts(post, ORGANIZER_FIELDS);
  return {
    '@type': 'Person',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post),
    ...jsonLdImage(post, view),
    url: escHtml(website),
    telephone: escHtml(phone),
    email: antispam(email, Math.random),
    sameAs: escHtml(website),
  };
}

function commonFields(post: Post, view: View) {
  return {
    id: post._id,
    ...(post.author === 0 ? {} : { author: String(post.author) }),
    status: post.status,
    date: post.date,
    date_utc: post.dateGmt,
    modified: post.modified,
    modified_utc: post.modifiedGmt,
    url: permalink(post, view.site, canRead(view.user, post)),
  };
}

function texts(post: Post, view: View) {
  return { description: shownContent(post, view), excerpt: shownExcerpt(post, view), slug: post.slug, image: imageOf(post, view) };
}

/** TEC: what is withheld is emptied where it is shown, by a list of names that also hits the name of the item. */
function withhold<T extends object>(shown: T, names: readonly string[], emptyName: keyof T): T {
  const hidden = Object.entries(shown).flatMap(([name, value]) =>
    names.includes(name) ? [[name, typeof value === 'number' ? 0 : '']] : [],
  );
  const image = 'image' in shown ? { image: false } : {};
  return { ...shown, ...Object.fromEntries(hidden), ...image, [emptyName]: [] };
}

const global = (post: Post, { site }: View) => ({ global_id: globalId(post, site), global_id_lineage: globalIdLineage(post, site) });

/** TEC: coordinates are shown by the pro extension only. */
function geoFields(post: Post, { site }: View): { geo_lat?: number; geo_lng?: number } {
  const coordinates = site.quirks.has('coordinates-are-hidden') ? null : coordinatesOf(post);
  return coordinates ? { geo_lat: coordinates.lat, geo_lng: coordinates.lng } : {};
}

function geoJsonLd(post: Post, view: View): Pick<PlaceJsonLd, 'geo'> {
  const { geo_lat: latitude, geo_lng: longitude } = geoFields(post, view);
  return latitude === undefined || longitude === undefined ? {} : { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}

/** TEC: what a password hides of the fields of a kind; the name is emptied besides. */
const hiddenFields = (table: Fields): string[] =>
  Object.entries(table).flatMap(([name, field]) => (field.kind === 'flag' || ('open' in field && field.open) ? [] : [name]));

/** What a password may hide. */
type Contents<Shown> = Omit<Shown, 'json_ld' | 'show_map' | 'show_map_link' | 'global_id' | 'global_id_lineage'>;

/** A venue as the API shows it, alone, in lists, and within events. */
export function presentVenue(post: Post, view: View, withJsonLd: boolean): Venue {
  const withheld = isWithheld(post, view);
  const stored: Required<Pick<Venue, TextNames<typeof VENUE_FIELDS>>> = readTexts(post, VENUE_FIELDS);
  const fields: Contents<Venue> = {
    ...commonFields(post, view),
    ...withoutEmpty({ venue: shownTitle(post), ...texts(post, view), ...stored }),
    ...geoFields(post, view),
  };
  return {
    ...(withheld ? withhold(fields, ['description', ...hiddenFields(VENUE_FIELDS)], 'venue') : fields),
    ...(withJsonLd && !withheld ? { json_ld: venueJsonLd(post, view) } : {}),
    show_map: withheld ? null : readFlag(post, VENUE_FIELDS.show_map),
    show_map_link: withheld ? null : readFlag(post, VENUE_FIELDS.show_map_link),
    ...global(post, view),
  };
}

/** An organizer as the API shows it, alone, in lists, and within events. */
export function presentOrganizer(post: Post, view: View, withJsonLd: boolean): Organizer {
  const withheld = isWithheld(post, view);
  const stored: Required<Pick<Organizer, TextNames<typeof ORGANIZER_FIELDS>>> = readTexts(post, ORGANIZER_FIELDS);
  const fields: Contents<Organizer> = {
    ...commonFields(post, view),
    ...withoutEmpty({ organizer: shownTitle(post), ...texts(post, view), ...stored }),
  };
  return {
    ...(withheld ? withhold(fields, ['description', ...hiddenFields(ORGANIZER_FIELDS)], 'organizer') : fields),
    ...(withJsonLd && !withheld ? { json_ld: organizerJsonLd(post, view) } : {}),
    ...global(post, view),
  };
}
