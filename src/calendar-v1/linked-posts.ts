import { canRead, canWithPosts } from '../wp/users/capabilities.js';
import { antispam } from '../wp/formatting/email.js';
import { jsonLdName } from '../wp/formatting/json-ld-text.js';
import { escHtml } from '../wp/formatting/sanitize.js';
import { metaValue, type Post } from '../wp/model.js';
import { coordinatesOf } from '../wp/posts.js';
import { shownContent, shownExcerpt, shownJsonLdDescription, shownTitle } from '../wp/rendered.js';
import { flagOrTrue, globalId, globalIdLineage, imageOf, isWithheld, permalink, type View } from './view.js';
import type { Organizer, PersonJsonLd, PlaceJsonLd, PostalAddress, Venue } from '../types.js';

const escaped = (text: string | undefined): string => escHtml(text ?? '');

const isEmpty = (value: unknown): boolean => value === '' || value === '0' || value === false || value === 0 || value === undefined;

/** TEC: venues and organizers have no key for what is empty. */
function withoutEmpty<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<T>;
}

/** WP: titles in feeds and metadata say so when an item is protected or private. */
export function markedTitle(post: Post): string {
  const title = shownTitle(post);
  if (post.password !== '') return `Protected: ${title}`;
  return post.status === 'private' ? `Private: ${title}` : title;
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
  const [stateProvince, country, state, province] = ['_VenueStateProvince', '_VenueCountry', '_VenueState', '_VenueProvince'].map(
    (key) => metaValue(post, key) ?? '',
  );
  return {
    '@type': 'PostalAddress',
    ...withoutEmpty({
      streetAddress: escaped(metaValue(post, '_VenueAddress')),
      addressLocality: escaped(metaValue(post, '_VenueCity')),
      addressRegion: escaped(stateProvince || (country === 'United States' ? state : province)),
      postalCode: escaped(metaValue(post, '_VenueZip')),
      addressCountry: escaped(country),
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
    telephone: escaped(metaValue(post, '_VenuePhone')),
    sameAs: metaValue(post, '_VenueURL') ?? '',
  };
}

export function organizerJsonLd(post: Post, view: View): PersonJsonLd {
  const website = escaped(metaValue(post, '_OrganizerWebsite'));
  return {
    '@type': 'Person',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post),
    ...jsonLdImage(post, view),
    url: website,
    telephone: escaped(metaValue(post, '_OrganizerPhone')),
    email: antispam(metaValue(post, '_OrganizerEmail') ?? '', Math.random),
    sameAs: website,
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
  return { description: shownContent(post), excerpt: shownExcerpt(post), slug: post.slug, image: imageOf(post, view) };
}

/** TEC: what is withheld is emptied where it is shown, by a list of names that also hits the name of the item. */
function withhold<T extends object>(shown: T, names: readonly (keyof T)[], emptyName: keyof T): T {
  const hidden = names.filter((name) => name in shown).map((name) => [name, typeof shown[name] === 'number' ? 0 : '']);
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

/** A venue as the API shows it, alone, in lists, and within events. */
export function presentVenue(post: Post, view: View, withJsonLd: boolean): Venue {
  const withheld = isWithheld(post, view);
  const value = (key: string): string => metaValue(post, `_Venue${key}`) ?? '';
  const fields = {
    ...commonFields(post, view),
    ...withoutEmpty({
      venue: shownTitle(post),
      ...texts(post, view),
      address: value('Address'),
      city: value('City'),
      country: value('Country'),
      province: value('Province'),
      state: value('State'),
      zip: value('Zip'),
      phone: value('Phone'),
      website: value('URL'),
      stateprovince: value('StateProvince'),
    }),
    ...geoFields(post, view),
  } as Venue;
  const shown = withheld
    ? withhold(
        fields,
        ['description', 'address', 'city', 'country', 'province', 'zip', 'phone', 'website', 'stateprovince', 'geo_lat', 'geo_lng'],
        'venue',
      )
    : fields;
  return {
    ...shown,
    ...(withJsonLd && !withheld ? { json_ld: venueJsonLd(post, view) } : {}),
    show_map: withheld ? null : flagOrTrue(post, '_VenueShowMap'),
    show_map_link: withheld ? null : flagOrTrue(post, '_VenueShowMapLink'),
    ...global(post, view),
  };
}

/** An organizer as the API shows it, alone, in lists, and within events. */
export function presentOrganizer(post: Post, view: View, withJsonLd: boolean): Organizer {
  const withheld = isWithheld(post, view);
  const value = (key: string): string => metaValue(post, `_Organizer${key}`) ?? '';
  const fields = {
    ...commonFields(post, view),
    ...withoutEmpty({
      organizer: shownTitle(post),
      ...texts(post, view),
      phone: value('Phone'),
      website: value('Website'),
      email: value('Email'),
    }),
  } as Organizer;
  const shown = withheld ? withhold(fields, ['description', 'phone', 'email', 'website'], 'organizer') : fields;
  return { ...shown, ...(withJsonLd && !withheld ? { json_ld: organizerJsonLd(post, view) } : {}), ...global(post, view) };
}
