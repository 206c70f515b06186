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
  /** Headers that are not compared. */
  ignoreHeaders?: string[];
  /** Folder of the recordings. */
  cases?: string;
}

export function replay(options: ReplayOptions): Promise<Report>;
