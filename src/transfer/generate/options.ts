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

export const GENERATE_DEFAULTS: GenerateOptions = {
  events: 100,
  seed: '1',
  from: '2027-01-01',
  to: '2027-12-31',
  zones: [
    ['Europe/Berlin', 3],
    ['Europe/Paris', 1],
    ['Europe/London', 1],
    ['America/New_York', 1],
    ['Asia/Tokyo', 1],
    // Their rules changed in 2026.
    ['America/Winnipeg', 0.5],
    ['Africa/Casablanca', 0.5],
  ],
  cost: [
    ['none', 0.15],
    ['free', 0.3],
    ['fixed', 0.35],
    ['range', 0.15],
    ['donation', 0.05],
  ],
  allDay: 0.08,
  multiDay: 0.06,
  featured: 0.03,
  hidden: 0,
  drafts: 0,
  shares: {},
  venues: 6,
  organizers: 3,
  images: 0,
};
