import { metaValue, type Post } from '../../../wordpress/model.js';
import { VENUE_FIELDS } from './event.js';

/** Latitude and longitude of a venue, or null unless both are there and not zero (TEC: as the pro extension shows them). */
export function coordinatesOf(post: Pick<Post, 'meta'>): { lat: number; lng: number } | null {
  const { geo_lat, geo_lng } = VENUE_FIELDS;
  const [lat, lng] = [geo_lat, geo_lng].map(({ key }) => Number(metaValue(post, key) ?? 0));
  const valid = Math.abs(lat) <= geo_lat.most && Math.abs(lng) <= geo_lng.most;
  return lat !== 0 && lng !== 0 && valid ? { lat, lng } : null;
}
