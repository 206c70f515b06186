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
  /** Receives a POST to restore the recorded site. */
  resetUrl?: string;
  /** Replays only scenarios whose name contains one of these. */
  only?: string[];
  /** Which scenarios to replay, by name. */
  wanted?: (name: string) => boolean;
  /** Headers that are not compared. */
  ignoreHeaders?: string[];
  /** The recordings: a folder, a packed file, or the name of a corpus in this folder. `#6.14.2` selects one of several releases. */
  cases?: string;
}

export interface Scenario {
  name: string;
  /** Whether the scenario may change data. The server is reset after it. */
  writes?: boolean;
}

/** @param cases as in {@link ReplayOptions} */
export function readScenarios(cases: string): Scenario[];

export function replay(options: ReplayOptions): Promise<Report>;
