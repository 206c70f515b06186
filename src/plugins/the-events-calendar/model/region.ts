import { escHtml } from '../../../wordpress/formatting/entities.js';
import type { SentTexts } from './field.js';

/**
 * State or province of a venue. The plugin has two rules, both recorded:
 *
 * - Stored, on every write through either interface: the region itself if it is sent; else the state, for venues without a country or with
 *   `US` or `United States`; else the province. Only values of the request count (case `write-venue-update`: `{"state":"NY"}` for a venue in
 *   Norway stores `NY`). `tec/v1` leaves the region as it is where none of the four is sent.
 * - Shown, in addresses (JSON-LD, directions, iCalendar): the stored region; else the state, for `United States` alone; else the province
 *   (the same case: Norway, `NY` and `Oslo` without a region show `Oslo`).
 */
export const REGION_FIELDS = ['stateprovince', 'state', 'province', 'country'] as const;

type RegionTexts = Record<(typeof REGION_FIELDS)[number], string>;

const UNITED_STATES = 'United States';

const countsStates = (country: string): boolean => ['', 'US', UNITED_STATES].includes(country);

/** The region that a write stores. TEC: the state is ignored for any other country, including `USA`. */
export function regionOf({ stateprovince = '', state = '', province = '', country = '' }: SentTexts): string {
  return stateprovince || (countsStates(country) && state) || province;
}

/** The region that addresses show, from the stored texts. TEC: an empty country does not count as the United States here. */
export const shownRegion = (venue: RegionTexts): string => venue.stateprovince || ownRegion(venue);

/** The same as HTML. TEC: the stored region is not escaped, the state and the province are. */
export const regionHtml = (venue: RegionTexts): string => venue.stateprovince || escHtml(ownRegion(venue));

const ownRegion = ({ state, province, country }: RegionTexts): string => (country === UNITED_STATES ? state : province);

/** Whether a region from formats without separate fields is a state or a province. Common spellings of the United States count, too. */
export const regionField = (country = ''): 'state' | 'province' =>
  ['', 'us', 'usa', 'united states'].includes(country.toLowerCase()) ? 'state' : 'province';
