/** The expectations for a response. */
export interface Asked {
  method: string;
  target: string;
  headers: Record<string, string>;
  expects: { kind: string; isCollection: boolean; isExact: boolean; globals: Record<string, string>; methods: string[] };
}

/** Returns a function that lists the problems of a response. The list is empty if it is valid. */
export function judge(site: {
  url: string;
  profile: string;
}): (request: Asked, answer: { status: number; headers: Record<string, unknown>; text: string }) => string[];
