export interface Operation {
  kind: string;
  invoked: number;
  responded: number;
  fields?: Record<string, unknown>;
  output?: unknown;
  id?: number;
}

export interface Model<State> {
  initial: State;
  step: (state: State, operation: Operation) => State | undefined;
  key: (state: State) => string;
}

export type Verdict = { isLinearizable: true; order: Operation[] } | { isLinearizable: false; longest: Operation[]; stuck: Operation[] };

export function linearize<State>(history: readonly Operation[], model: Model<State>): Verdict;
export function lasting(history: readonly Operation[], kills: readonly number[]): Operation[];
export function recordModel(initial: Record<string, unknown>): Model<Record<string, unknown>>;
export function nameModel(initial?: number | null): Model<number | null>;
export function describeVerdict(verdict: Extract<Verdict, { isLinearizable: false }>): string;
