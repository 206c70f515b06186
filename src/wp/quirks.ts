/** A place where the plugin and its documented interface part. Rules ask for it by name; profiles switch it. */
export interface Quirk {
  /** What the interface promises. */
  documented: string;
  /** What the plugin does. */
  plugin: string;
}

/**
 * The table of named quirks. Under profile `tec` every one is on: the server behaves exactly as the plugin was recorded.
 */
export const QUIRKS = {
  'include-keeps-default-window': {
    documented: '`include` returns events by id and ignores date filters.',
    plugin: 'The dates a caller gives are ignored, the default window stays in force.',
  },
  'only-first-tag-counts': {
    documented: '`tags` returns events with any of the given tags.',
    plugin: 'Of several tags only the first one is looked at.',
  },
  'upcoming-looks-at-first-page': {
    documented: '`only_with_upcoming` returns venues and organizers that have upcoming events.',
    plugin: 'Only the first page of upcoming events (the default posts per page) is looked at.',
  },
  'empty-search-counts-everything': {
    documented: 'Totals count what the list holds.',
    plugin: 'When no venue or organizer matches the search, totals count all that the other filters leave.',
  },
  'by-slug-checks-general-right': {
    documented: 'Only those who may edit an item can change it.',
    plugin: 'On by-slug routes the general edit or delete right is enough, whoever the item belongs to.',
  },
  'existing-tag-becomes-its-id': {
    documented: 'An existing tag named in an event is assigned.',
    plugin: 'An existing tag named by slug or name is replaced by a tag that is called like its id.',
  },
} as const satisfies Record<string, Quirk>;

export type QuirkName = keyof typeof QUIRKS;
export type Profile = 'tec' | 'standard';
export type Quirks = ReadonlySet<QuirkName>;

/** The quirks that are on under a profile. */
export const quirksOf = (profile: Profile): Quirks => new Set(profile === 'tec' ? (Object.keys(QUIRKS) as QuirkName[]) : []);
