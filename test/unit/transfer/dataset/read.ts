import { newestZones } from '../../../../src/base/php/zone-data.js';
import { writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatasetContent } from '../../../../src/transfer/source.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { problemsOf as validate } from '../../../../src/transfer/validate.js';
import type { Post } from '../../../../src/wordpress/model.js';
import { readDataset } from '../../../support/datasets.js';

const here = path.dirname(fileURLToPath(import.meta.url));
export const WORLD = path.join(here, '../../../conformance/world.json');
export const DEMO = path.join(here, '../../../../fixtures/demo.json');
export const EMPTY = path.join(here, '../../../../fixtures/empty.json');

/** A Monday: 08:00 in New York, 14:00 in Berlin. */
export const NOW = Date.parse('2026-06-15T12:00:00Z');
export const BASE = { now: NOW / 1000, zone: 'Europe/Berlin', zones: newestZones() };

/** A temporary folder, deleted at the end of the test file. */
export const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-dataset-'));
afterAll(() => rmSync(folder, { recursive: true }));

export const written = async (content: unknown): Promise<string> => {
  const file = path.join(folder, 'set.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

export const read = async (content: unknown, now: number | null = NOW): Promise<DatasetContent> => readDataset(await written(content), now);

/** The errors of a dataset that may refer only to its own content. */
export const problemsOf = async (content: unknown): Promise<readonly string[]> => {
  const file = await written(content);
  const candidate = { name: file, open: () => openFile(inputFile(file), { now: NOW }) };
  return (await validate([candidate], { create: false })).map(({ path: at, message }) => (at ? `${at}: ${message}` : message));
};

export const bySlug = ({ posts }: DatasetContent, slug: string): Post => {
  const post = posts.find((candidate) => candidate.slug === slug);
  if (!post) throw new Error(`no post ${slug}`);
  return post;
};

/** The local times of all events, and their start in UTC, in order. */
export const describeTimes = ({ posts }: DatasetContent): { start: string; end: string; utc: string }[] =>
  posts
    .filter(({ type }) => type === 'tribe_events')
    .map(({ meta }) => {
      const value = (key: string): string => meta.find((row) => row.key === key)?.value ?? '';
      return { start: value('_EventStartDate'), end: value('_EventEndDate'), utc: value('_EventStartDateUTC') };
    })
    .toSorted((a, b) => a.utc.localeCompare(b.utc));
