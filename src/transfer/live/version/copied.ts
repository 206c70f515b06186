import { LATEST_VERSION, OLDEST_VERSION, RECORDED_VERSIONS } from '../../../plugins/the-events-calendar/quirks/version.js';
import { compareVersions, isInRange, type VersionRange } from '../../../wordpress/quirks/version.js';
import { VERSION_QUIRKS } from '../../../plugins/the-events-calendar/quirks/version-rows.js';

/** Properties of a site that reveal its release with few requests. */
export interface VersionSigns {
  /** The release that calendar files state. */
  stated: string | null;
  hasTecV1: boolean;
  /** Whether events have `custom_fields`; null: there are no events. */
  hasCustomFields: boolean | null;
  /** Status of the response for the id of a missing event. */
  missingEvent: number;
}

/** The release for a copy of a site, and a note for the user. */
export interface CopiedVersion {
  version: string;
  note: string;
}

const fits = ({ hasTecV1, hasCustomFields, missingEvent }: VersionSigns, version: string): boolean => {
  const is = (range: VersionRange): boolean => isInRange(version, range);
  return (
    is(VERSION_QUIRKS['no-tec-v1']) === !hasTecV1 &&
    (hasCustomFields === null || is(VERSION_QUIRKS['no-custom-fields']) === !hasCustomFields) &&
    is(VERSION_QUIRKS['unknown-events-are-invalid-ids']) === (missingEvent === 400)
  );
};

/** The release for a copy: the stated one, or the nearest known one; else the newest that matches the site. */
export function copiedVersion(signs: VersionSigns): CopiedVersion {
  const { stated } = signs;
  if (stated === null) {
    const version = RECORDED_VERSIONS.find((each) => fits(signs, each)) ?? LATEST_VERSION;
    return { version, note: `The site does not state its release of The Events Calendar: the copy behaves like ${version}, which fits.` };
  }
  const nearest =
    compareVersions(stated, LATEST_VERSION) > 0 ? LATEST_VERSION : compareVersions(stated, OLDEST_VERSION) < 0 ? OLDEST_VERSION : stated;
  return {
    version: nearest,
    note:
      nearest === stated
        ? `The site runs The Events Calendar ${stated}, and the copy behaves like it.`
        : `The site runs The Events Calendar ${stated}, whose behavior is not known: the copy behaves like ${nearest}.`,
  };
}
