import { compareVersions } from '../../quirks/version.js';
import { lookup } from '../../../base/values/records.js';
import table from './block-types.json' with { type: 'json' };
import themes from './themes.json' with { type: 'json' };

export type Attributes = Readonly<Record<string, unknown>>;

/** A registered block: its layout, the styles of its element, and its attributes. */
export interface BlockType {
  /** The first release that has it; absent: the oldest. */
  readonly since?: string;
  /** Its layout if a block names none; absent: it has no layout. */
  readonly layout?: Readonly<Record<string, unknown>>;
  /** The gap between the blocks in it without a theme; default: 0.5em. */
  readonly gap?: string;
  /** Styles that it writes itself: a group, or one of it, such as `color.text`. */
  readonly skips?: readonly string[];
  /** False: its element has no class of its name. */
  readonly className?: boolean;
  readonly sticky?: boolean;
  readonly background?: boolean;
  readonly duotone?: boolean;
  readonly aspectRatio?: boolean;
  /** Defaults of attributes. */
  readonly attributes?: Attributes;
  /** Changes of newer releases. */
  readonly newer?: Readonly<Record<string, Omit<BlockType, 'newer'>>>;
}

export interface Theme {
  /** Whether blocks may name gaps. */
  readonly hasGaps: boolean;
  /** Whether blocks with a width have padding. */
  readonly hasPadding: boolean;
  readonly sticky: boolean;
  /** Whether font sizes depend on the width of the window. */
  readonly isFluid: boolean;
  readonly wideSize: string;
  readonly gap: string;
  readonly gaps: Readonly<Record<string, string>>;
  /** The style variations that have a design, by block. */
  readonly variations: Readonly<Record<string, readonly string[]>>;
}

export type ThemeName = keyof typeof themes;

const withLookups = (theme: Theme): Theme => ({ ...theme, gaps: lookup(theme.gaps), variations: lookup(theme.variations) });

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  block: withLookups(themes.block),
  classic: withLookups(themes.classic),
};

const TYPES = new Map<string, BlockType>(Object.entries(table as Record<string, BlockType>));
const isIn = (release: string, since: string): boolean => compareVersions(release, since) >= 0;

const byRelease = new Map<string, Map<string, BlockType>>();

/** The blocks that a release of WordPress registers, by name. */
export function blockTypes(release: string): ReadonlyMap<string, BlockType> {
  const known = byRelease.get(release);
  if (known) return known;
  const made = new Map<string, BlockType>();
  for (const [name, { newer = {}, ...type }] of TYPES) {
    if (type.since !== undefined && !isIn(release, type.since)) continue;
    const changes = Object.entries(newer).filter(([since]) => isIn(release, since));
    made.set(name, Object.assign({}, type, ...changes.map(([, change]) => change)) as BlockType);
  }
  byRelease.set(release, made);
  return made;
}

/** Whether a block writes a style itself, such as `color.text`. */
export const skips = ({ skips: own = [] }: BlockType, style: string): boolean =>
  own.includes(style) || own.includes(style.split('.', 1)[0] ?? '');
