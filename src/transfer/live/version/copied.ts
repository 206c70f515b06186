import { CALENDAR } from '../../../plugins/the-events-calendar/quirks/version.js';
import { VERSION_QUIRKS } from '../../../plugins/the-events-calendar/quirks/index.js';
import { PRODUCTS } from '../../../plugins/quirks.js';
import { isInRange, type VersionRange } from '../../../wordpress/quirks/version.js';
import { nearestRelease, RELEASE_FORM, WORDPRESS, type Product } from '../../../wordpress/quirks.js';

/** Properties of a site that reveal its release of The Events Calendar with few requests. */
export interface CalendarSigns {
  /** The release that calendar files state. */
  stated: string | null;
  hasTecV1: boolean;
  /** Whether events have `custom_fields`; null: there are no events. */
  hasCustomFields: boolean | null;
  /** Status of the response for the id of a missing event. */
  missingEvent: number;
}

/** Properties of a site that reveal its release of WordPress. */
export interface WordPressSigns {
  /** The release that pages or feeds name as their generator. */
  stated: string | null;
  /** The routes in the REST index. */
  routes: readonly string[];
}

/** The release for a copy of a site, and a note for the user. */
export interface CopiedRelease {
  release: string;
  note: string;
}

const calendarFits = ({ hasTecV1, hasCustomFields, missingEvent }: CalendarSigns, release: string): boolean => {
  const is = (range: VersionRange): boolean => isInRange(release, range);
  return (
    is(VERSION_QUIRKS['no-tec-v1']) === !hasTecV1 &&
    (hasCustomFields === null || is(VERSION_QUIRKS['no-custom-fields']) === !hasCustomFields) &&
    is(VERSION_QUIRKS['unknown-events-are-invalid-ids']) === (missingEvent === 400)
  );
};

/** Routes that each line of WordPress has added, newest first. */
const ADDED_ROUTES: readonly [line: string, route: string][] = [
  ['7.1', '/wp/v2/view-config'],
  ['7.0', '/wp/v2/icons'],
  ['6.9', '/wp-abilities/v1'],
];

/** The stated release, or the nearest known one; else the one that fits. */
function copied(product: Product, stated: string | null, fitting: () => string): CopiedRelease {
  const { title } = product;
  if (stated === null || !RELEASE_FORM.test(stated)) {
    const release = fitting();
    return { release, note: `The site does not state its release of ${title}: the copy behaves like ${release}, which fits.` };
  }
  const known = product.findRelease(stated);
  if (known !== null) return { release: known, note: `The site runs ${title} ${stated}, and the copy behaves like it.` };
  const release = nearestRelease(product, stated);
  return { release, note: `The site runs ${title} ${stated}, whose behavior is not known: the copy behaves like ${release}.` };
}

/** The release of The Events Calendar for a copy. */
export function copiedCalendar(signs: CalendarSigns): CopiedRelease {
  const product = PRODUCTS[CALENDAR];
  return copied(product, signs.stated, () => product.releases.find((each) => calendarFits(signs, each)) ?? product.releases[0]);
}

/** The release of WordPress for a copy: the stated one, else the newest line one of whose routes the site has. */
export const copiedWordPress = ({ stated, routes }: WordPressSigns): CopiedRelease =>
  copied(WORDPRESS, stated, () => {
    const [line] = ADDED_ROUTES.find(([, route]) => routes.includes(route)) ?? [WORDPRESS.releases[WORDPRESS.releases.length - 1]];
    return WORDPRESS.findRelease(line) ?? WORDPRESS.releases[0];
  });
