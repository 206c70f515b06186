/** What was asked for. */
export interface Asked {
  method: string;
  target: string;
  headers: Record<string, string>;
  expects: { kind: string; isCollection: boolean; isExact: boolean; globals: Record<string, string>; methods: string[] };
}

/** Judges the answers of a server: tells what is wrong with one, nothing if all is well. */
export function judge(site: {
  url: string;
  profile: string;
}): (request: Asked, answer: { status: number; headers: Record<string, unknown>; text: string }) => string[];
