import { readdirSync } from 'node:fs';
import path from 'node:path';
import { LLMS_FILE, llmsPage } from '../../../scripts/llms.mjs';
import { read, root } from '../../support/documents.js';

test('the page for coding agents is as scripts/llms.mjs writes it', () => {
  expect(read(LLMS_FILE)).toBe(llmsPage());
});

test('it names every page of the documentation, and an agent can read all of it', () => {
  const page = read(LLMS_FILE);
  const pages = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(pages.filter((name) => !page.includes(`](${name}`))).toEqual([]);
  // About 5,000 tokens.
  expect(page.length).toBeLessThan(20_000);
});

test('its first lines are enough to fill a calendar, control it and save it', () => {
  const core = read(LLMS_FILE).split('\n').slice(0, 60).join('\n');
  for (const word of ['events:', 'stubs:', 'clock:', 'repeat:', 'add_fault', '`explain`', '`save`', 'understudy://datasets.md'])
    expect(core).toContain(word);
});

test('its links lead to files and sections', () => {
  const broken = [...read(LLMS_FILE).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].flatMap(([, file]) => {
    try {
      read(path.join('docs', file));
      return [];
    } catch {
      return [file];
    }
  });
  expect(broken).toEqual([]);
});
