import type { VersionRange } from './plugin-version.js';

/**
 * A difference between the plugin and its documented interface, or between releases of the plugin. Code refers to it by name; profile and
 * version switch it on or off.
 */
export interface Quirk extends Partial<VersionRange> {
  /** `interface`: the plugin rejects, ignores or misinterprets what is documented; `hole`: missing access control; `transport`: a missing feature of HTTP. */
  kind: 'interface' | 'hole' | 'transport';
  /** The documented, expected or newest behavior. */
  off: string;
  /** The plugin's behavior, while the quirk is on. */
  on: string;
}
