import type { Json } from '../../../../wordpress/rest/route.js';
import { readJson } from '../../../../base/system/files.js';

/** An item of the demo calendar. */
interface Sample {
  id: number;
  slug: string;
}

/** Written by scripts/api-examples.mjs; a test compares it with the responses of a server. */
interface Examples {
  /** An item of each kind, by its noun: `event`. */
  samples: Record<string, Sample>;
  /** Responses of a server with the demo calendar, by operation and status. */
  responses: Record<string, Record<string, Json>>;
}

let known: Examples | undefined;

/** The examples of the OpenAPI document, from the demo calendar. They are loaded on first use, so that the start does not wait. */
export function examples(): Examples {
  known ??= readJson<Examples>(new URL('../../../../../fixtures/api-examples.json', import.meta.url));
  return known;
}
