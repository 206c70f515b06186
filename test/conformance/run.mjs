// Replays recordings and reports the differences of each scenario, for this server or, with TARGET=url, for any other. TARGET is a REST
// root (http://host/wp-json), RESET a URL that restores the recorded site, and NAMESPACE the calendar's namespace.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RECORDED_VERSIONS } from '../../dist/plugins/the-events-calendar/quirks/version.js';
import { COMPANIONS, worldWith } from './companions.mjs';
import { replay } from './replay-run.mjs';
import { SETTINGS, SETTINGS_RECORDED_WITH, withSettings } from './settings.mjs';
import { corporaOf } from './versions.mjs';
import { corporaOfWordPress, NEWER_RELEASES, RECORDED_WITH } from './wordpress.mjs';

const HELP = `Usage: npm run conformance -- [options] [scenario ...]

  --cases PATH     Corpus to replay: a folder of case files, a packed file (.json.br), or the name of one beside this script; may be
                   repeated (default: all that are here, "cases" under both namespaces)
  --settings NAME  Replay what was recorded under a setting of the site, such as permalinks-plain, or "all" one after another
  --companion NAME Replay what was recorded with another plugin: jwt, basic or acf, or "all" one after another
  --wp V           Behave like a release of WordPress, such as 7.1, or "all" one after another, and replay what was recorded of it
  --tec-version V  Behave like a recorded release of the plugin, or "all" one after another, and replay what was recorded of it
  --help           Shows this

Only scenarios whose name contains one of the given texts are replayed.`;

const here = path.dirname(fileURLToPath(import.meta.url));
const { TARGET, RESET, NAMESPACE } = process.env;
const { values, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', multiple: true },
    'tec-version': { type: 'string' },
    settings: { type: 'string' },
    companion: { type: 'string' },
    wp: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}

const BESIDE = [
  'cases',
  'cases-wp',
  'cases-more.json.br',
  'cases-wp-more.json.br',
  'cases-random.json.br',
  'cases-site.json.br',
  'cases-feeds.json.br',
  'cases-pages.json.br',
];
/** Resolves a corpus in this folder by its name, and others by their path. */
const corpusAt = (name) => BESIDE.find((known) => known.replace('.json.br', '') === name) ?? path.resolve(name);
const corpora = values.cases?.map(corpusAt) ?? BESIDE;

async function report(title, options) {
  const { passed, failed, steps, scenarios } = await replay({ ...options, only });
  console.log(`\n${title}`);
  for (const { name, ok, steps: all } of scenarios) {
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${all.filter((step) => step.ok).length}/${all.length})`);
    for (const step of all.filter((candidate) => !candidate.ok))
      console.log([`     ${step.label}`, ...step.diffs.map((line) => `       ${line}`)].join('\n'));
  }
  console.log(`requests: ${steps.passed} of ${steps.passed + steps.failed} as recorded`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed;
}

async function replayAll(restUrl, resetUrl, namespacesOf) {
  let failed = 0;
  for (const cases of corpora) {
    for (const namespace of namespacesOf(cases))
      failed += await report(`${cases} as ${namespace}`, { restUrl, namespace, resetUrl, cases });
  }
  return failed;
}

const version = values['tec-version'];
if (version !== undefined && version !== 'all' && !RECORDED_VERSIONS.includes(version)) {
  console.error(`No recordings of ${version}. There are recordings of ${RECORDED_VERSIONS.join(', ')}.`);
  process.exit(2);
}

const RELEASES = [...NEWER_RELEASES, RECORDED_WITH];
const wanted = values.wp;
const releases = wanted === 'all' ? RELEASES : RELEASES.filter((each) => wanted === each || each.startsWith(`${wanted}.`));
if (wanted !== undefined && releases.length === 0) {
  console.error(`No recordings of WordPress ${wanted}. There are recordings of ${RELEASES.join(', ')}.`);
  process.exit(2);
}

/** Replays all scenarios that apply to a release of the plugin or of WordPress. */
async function replayRelease(title, options, all) {
  const { createServer } = await import('../../dist/index.js');
  const server = await createServer({ dataset: path.join(here, 'world.json'), profile: 'tec', wordpress: RECORDED_WITH, ...options });
  let failed = 0;
  try {
    for (const corpus of all) {
      const at = { restUrl: server.restUrl, namespace: 'tribe/events/v1', resetUrl: `${server.url}/__qa/reset` };
      failed += await report(`${title}: ${corpus.cases}${corpus.wanted ? ', the others' : ''}`, { ...at, ...corpus });
    }
  } finally {
    await server.close();
  }
  return failed;
}

/** Replays what was recorded under a setting, on the world with it. */
async function replaySettings(name) {
  const { createServer } = await import('../../dist/index.js');
  const server = await createServer({ dataset: withSettings(name), profile: 'tec', wordpress: SETTINGS_RECORDED_WITH });
  try {
    const restUrl = `${server.url}/wp-json`;
    const resetUrl = `${server.url}/__qa/reset`;
    return await report(`Setting ${name}`, { restUrl, namespace: 'tribe/events/v1', resetUrl, cases: `cases-settings.json.br#${name}` });
  } finally {
    await server.close();
  }
}

/** Replays what was recorded with another plugin, on the world with it. */
async function replayCompanion(name) {
  const { createServer } = await import('../../dist/index.js');
  const server = await createServer({ dataset: worldWith(name), profile: 'tec', wordpress: RECORDED_WITH, plugins: [COMPANIONS[name]] });
  try {
    const at = { restUrl: server.restUrl, namespace: 'tribe/events/v1', resetUrl: `${server.url}/__qa/reset` };
    return await report(`Companion ${name}`, { ...at, cases: `cases-companions.json.br#${name}` });
  } finally {
    await server.close();
  }
}

const companions = values.companion === 'all' ? Object.keys(COMPANIONS) : values.companion === undefined ? [] : [values.companion];
const stranger = companions.find((name) => !Object.hasOwn(COMPANIONS, name));
if (stranger !== undefined) {
  console.error(`No recordings of the companion ${stranger}. There are recordings of ${Object.keys(COMPANIONS).join(', ')}.`);
  process.exit(2);
}

const named = values.settings === 'all' ? Object.keys(SETTINGS) : values.settings === undefined ? [] : [values.settings];
const unknown = named.find((name) => !Object.hasOwn(SETTINGS, name));
if (unknown !== undefined) {
  console.error(`No recordings of the setting ${unknown}. There are recordings of ${Object.keys(SETTINGS).join(', ')}.`);
  process.exit(2);
}

let failed = 0;
if (companions.length > 0) {
  for (const name of companions) failed += await replayCompanion(name);
} else if (named.length > 0) {
  for (const name of named) failed += await replaySettings(name);
} else if (version !== undefined) {
  for (const each of version === 'all' ? RECORDED_VERSIONS : [version])
    failed += await replayRelease(each, { tecVersion: each }, corporaOf(each));
} else if (wanted !== undefined) {
  for (const each of releases) failed += await replayRelease(`WordPress ${each}`, { wordpress: each }, corporaOfWordPress(each));
} else if (TARGET) {
  failed = await replayAll(TARGET.replace(/\/$/, ''), RESET, () => [NAMESPACE ?? 'tribe/events/v1']);
} else {
  const { createServer } = await import('../../dist/index.js');
  const server = await createServer({ dataset: path.join(here, 'world.json'), profile: 'tec', wordpress: RECORDED_WITH });
  try {
    const namespacesOf = (cases) => (cases === 'cases' ? server.namespaces : ['tribe/events/v1']);
    failed = await replayAll(server.restUrl, `${server.url}/__qa/reset`, namespacesOf);
  } finally {
    await server.close();
  }
}
process.exit(failed === 0 ? 0 : 1);
