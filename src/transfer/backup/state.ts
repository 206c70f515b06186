import * as yup from 'yup';
import { parseSentJson } from '../../base/values/nesting.js';
import { messageOf } from '../../base/values/errors.js';
import type { Releases } from '../../wordpress/quirks.js';
import type { KnownFault, KnownStub } from '../../sdk/types/qa.js';
import { BackupError } from './read.js';

/** An entry of the journal, whose bodies are base64. */
export interface SavedEntry {
  id: number;
  /** Real time and site time at the end of the request, in ms since 1970 UTC. */
  at: number;
  clock: number;
  method: string;
  /** URL as sent, without the path prefix of the sandbox; secrets in it and in the body are masked. */
  url: string;
  /** Alternating names and values, as sent. */
  rawHeaders: readonly string[];
  body: string | null;
  /** Login of the signed-in user. */
  user: string | null;
  /** 0: the connection was dropped before the response. */
  status: number;
  headers: Record<string, string | number | string[] | undefined>;
  responseBody: string | null;
  ms: number;
  /** Id of the fault that was applied. */
  fault: number | null;
  /** Id of the stub that has responded. */
  stub: number | null;
  /** Whether the response came from a proxied site, now or when it was stored. */
  proxied: 'forwarded' | 'replayed' | null;
  /** Whether the response was cached: it was computed for an earlier request. */
  cached: boolean;
  /** Whether bodies were dropped: too large, or too old. */
  cut: boolean;
}

/** State that tests control besides the content, in a backup. Profile and zone data are for who starts the server. */
export interface SavedState {
  /** The time of the site, ms since 1970 UTC. */
  clock: number;
  profile: string;
  /** Release of the time zone data that was set, or null. */
  zones: string | null;
  releases: Releases;
  /** Name of the dataset, or null. */
  dataset: string | null;
  faults: KnownFault[];
  /** Without stubs of the content. */
  stubs: KnownStub[];
  journal: SavedEntry[];
}

const count = yup.number().integer().min(0).required();
const text = yup.string().defined();

/** Members that are read without further checks. Faults and stubs are checked when they are added. */
const schema = yup.object({
  clock: yup.number().required(),
  profile: text,
  zones: yup.string().nullable().defined(),
  releases: yup.object().required(),
  dataset: yup.string().nullable().defined(),
  faults: yup.array(yup.object({ id: count, seen: count, hits: count })).required(),
  stubs: yup.array(yup.object({ id: count, seen: count, hits: count })).required(),
  journal: yup
    .array(
      yup.object({
        id: count,
        at: yup.number().required(),
        clock: yup.number().required(),
        method: text,
        url: text,
        rawHeaders: yup.array(text).required(),
        body: yup.string().nullable().defined(),
        user: yup.string().nullable().defined(),
        status: count,
        headers: yup.object().required(),
        responseBody: yup.string().nullable().defined(),
        ms: yup.number().required(),
        fault: yup.number().nullable().defined(),
        stub: yup.number().nullable().defined(),
        proxied: yup.string().oneOf(['forwarded', 'replayed']).nullable().defined(),
        cached: yup.boolean().required(),
        cut: yup.boolean().required(),
      }),
    )
    .required(),
});

/** Reads a state. @throws BackupError if it is none */
export function readState(json: string): SavedState {
  try {
    return schema.validateSync(parseSentJson(json), { strict: true }) as unknown as SavedState;
  } catch (error) {
    throw new BackupError(`The state of the site in the backup cannot be used: ${messageOf(error)}.`);
  }
}
