import { canWithPosts } from '../../../../wordpress/users/capabilities.js';
import { antispam } from '../../../../wordpress/formatting/email.js';
import { jsonLdName } from '../../../../wordpress/formatting/json-ld-text.js';
import { escHtml, escUrl } from '../../../../wordpress/formatting/sanitize.js';
import { markedTitle, shownJsonLdDescription } from '../../../../wordpress/posts/rendered.js';
import { readText, readTexts } from '../../model/field.js';
import { linkedText } from '../../model/linked.js';
import { regionHtml } from '../../model/region.js';
import { VENUE_FIELDS } from '../../model/kinds/venue.js';
import { imageJsonLd, type View } from '../view.js';
import { geoFields, withoutEmpty } from './present.js';
import type { Post } from '../../../../wordpress/model.js';
import type { PersonJsonLd, PlaceJsonLd, PostalAddress } from '../../../../sdk/types/responses.js';

/**
 * Whether the `json_ld` of a venue or organizer is shown to a caller within an event. TEC: published ones to everybody, drafts and trashed
 * ones to signed-in users, private ones to users who may read them, protected ones to nobody.
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
      addressRegion: regionHtml({ ...region, country }),
      postalCode: escHtml(zip),
      addressCountry: escHtml(country),
    }),
  };
}

/** A schema.org `Place`. */
export function placeJsonLd(post: Post, view: View): PlaceJsonLd {
  return {
    '@type': 'Place',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post, view),
    ...imageJsonLd(post, view),
    // TEC: only the pro plugin has venue pages.
    url: '',
    address: postalAddress(post),
    ...geoJsonLd(post, view),
    telephone: escHtml(readText(post, VENUE_FIELDS.phone)),
    sameAs: readText(post, VENUE_FIELDS.website),
  };
}

/** A schema.org `Person`. */
export function personJsonLd(post: Post, view: View): PersonJsonLd {
  const website = escUrl(linkedText(post, 'website'));
  return {
    '@type': 'Person',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post, view),
    ...imageJsonLd(post, view),
    url: website,
    telephone: escHtml(linkedText(post, 'phone')),
    email: antispam(linkedText(post, 'email')),
    sameAs: website,
  };
}

function geoJsonLd(post: Post, view: View): Pick<PlaceJsonLd, 'geo'> {
  const { geo_lat: latitude, geo_lng: longitude } = geoFields(post, view);
  return latitude === undefined || longitude === undefined ? {} : { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}
