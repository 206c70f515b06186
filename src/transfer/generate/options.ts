import defaults from './defaults.json' with { type: 'json' };

export const COSTS = ['none', 'free', 'fixed', 'range', 'donation'] as const;
export type CostKind = (typeof COSTS)[number];

/** Options of the generator. Shares are between 0 and 1; other numbers are counts. */
export interface GenerateOptions {
  events: number;
  /** The same seed and options produce the same content on every machine. */
  seed: string;
  /** First and last day on which events start, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** Time zones by weight; each requires a town in the table of places. The first is the site's. */
  zones: readonly (readonly [string, number])[];
  cost: readonly (readonly [CostKind, number])[];
  allDay: number;
  /** Share of events that last two to five days. */
  multiDay: number;
  featured: number;
  hidden: number;
  drafts: number;
  /** Shares of events with content of plugins, by its name (`PluginContent.name`). If there are any, the site has the plugin. */
  shares: Readonly<Record<string, number>>;
  /** Number per town. */
  venues: number;
  organizers: number;
  /** Total number of images; events share them. */
  images: number;
}

/** The rules of some of the zones changed in 2026. */
export const GENERATE_DEFAULTS = defaults as unknown as GenerateOptions;
