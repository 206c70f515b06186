import { parse } from 'yaml';
import { VERSIONS } from '../../../scripts/node-versions.mjs';
import { nodeProblem } from '../../../src/base/system/node-version.js';
import { read } from '../../support/documents.js';

/** What `npm run test:nodes` tries is what the documents and the workflow name. */

const releases = VERSIONS.filter(({ name }) => name === 'Node.js').map(({ version }) => version);
const others = VERSIONS.filter(({ name }) => name !== 'Node.js');

test('the README names the releases of Node.js', () => {
  const [, oldest, tried] =
    /You need Node\.js ([\d.]+) or later\. Understudy is tested with ([^]+?)\. In a clone/.exec(read('README.md')) ?? [];
  expect(tried?.match(/\d+\.\d+\.\d+/g)).toEqual(releases);
  expect((JSON.parse(read('package.json')) as { engines: object }).engines).toEqual({ node: `>=${oldest}.0` });
  for (const version of [`${oldest}.0`, ...releases]) expect(nodeProblem(version)).toBeNull();
});

test('the documentation names the releases of Bun and Deno', () => {
  expect(others.map(({ name }) => name)).toEqual(['Bun', 'Deno']);
  expect(read('docs/containers.md')).toContain(others.map(({ name, version }) => `${name} ${version}`).join(' and '));
});

test('the workflow has the releases of Node.js, on each system', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as {
    jobs: { gate: { strategy: { matrix: { os: string[]; node: number[] } } } };
  };
  const { os, node } = jobs.gate.strategy.matrix;
  expect(node.map(String)).toEqual(releases.map((version) => version.split('.')[0]));
  expect(os.map((name) => name.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows']);
});

test('a workflow tries later releases every week', () => {
  const { on, jobs } = parse(read('.github/workflows/newer-node.yml')) as {
    on: { schedule: { cron: string }[] };
    jobs: { gate: { strategy: { matrix: { include: { release: string }[] } } } };
  };
  expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \d$/) as string }]);
  expect(jobs.gate.strategy.matrix.include.map(({ release }) => release)).toEqual(['latest', 'nightly']);
});

test('a workflow runs the examples with later releases of tools every week', () => {
  const { on, jobs } = parse(read('.github/workflows/newer-tools.yml')) as {
    on: { schedule: { cron: string }[] };
    jobs: { examples: { steps: { run?: string }[] } };
  };
  expect(on.schedule).toHaveLength(1);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = jobs.examples.steps.flatMap(({ run = '' }) => /npm run (\S+)/.exec(run)?.[1] ?? []);
  expect(commands).toEqual(['tools', 'examples:all', 'test:slow']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands));
});

test('the gate tries them, and counts the result', () => {
  const gate = read('.ci/run');
  expect(gate).toContain('beside nodes npm run test:nodes -- --short\n');
  expect(gate).toContain('collect nodes\n');
});
