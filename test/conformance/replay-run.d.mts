export interface StepReport {
  label: string;
  ok: boolean;
  diffs: string[];
}

export interface ScenarioReport {
  name: string;
  ok: boolean;
  steps: StepReport[];
}

export interface Report {
  passed: number;
  failed: number;
  steps: { passed: number; failed: number };
  scenarios: ScenarioReport[];
}

export interface ReplayOptions {
  /** REST root, without trailing slash. */
  restUrl: string;
  namespace: string;
  /** POSTed to go back to the recorded world. */
  resetUrl?: string;
  /** Only scenarios whose name contains one of these. */
  only?: string[];
  /** Which scenarios to replay, by name. */
  wanted?: (name: string) => boolean;
  /** Headers that are not compared. */
  ignoreHeaders?: string[];
  /** The recordings: a folder, or a packed file; the name of one beside the replayer will do, with `#6.14.2` one release of several. */
  cases?: string;
}

export interface Scenario {
  name: string;
  /** Whether it may change data; the server is reset afterwards. */
  writes?: boolean;
}

/** @param cases as in {@link ReplayOptions} */
export function readScenarios(cases: string): Scenario[];

export function replay(options: ReplayOptions): Promise<Report>;
