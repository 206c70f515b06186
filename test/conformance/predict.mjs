// Lists the recorded steps that each quirk affects: replays everything once per quirk, with that quirk off. The profile "standard" is
// tested against the result, standard-differences.json.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from '../../dist/index.js';
import { QUIRKS, QUIRK_NAMES } from '../../dist/plugins/quirks.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { replay } from './replay-run.mjs';

/** The products of the recorded site. */
const RECORDED = new Set(['wordpress', 'the-events-calendar']);

const here = path.dirname(fileURLToPath(import.meta.url));

async function stepsThatDiffer(quirk) {
  const server = await createServer({
    dataset: path.join(here, 'world.json'),
    profile: 'tec',
    wordpress: RECORDED_WITH,
    quirks: [`${quirk}=off`],
    logLevel: 'error',
  });
  try {
    const { scenarios } = await replay({
      restUrl: server.restUrl,
      namespace: 'tribe/events/v1',
      resetUrl: `${server.url}/__qa/reset`,
      ignoreHeaders: ['vary'],
    });
    return Object.fromEntries(
      scenarios.filter(({ ok }) => !ok).map(({ name, steps }) => [name, steps.flatMap((step, index) => (step.ok ? [] : [index + 1]))]),
    );
  } finally {
    await server.close();
  }
}

const differences = {};
for (const quirk of QUIRK_NAMES.filter(
  (name) => RECORDED.has(QUIRKS[name].of) && QUIRKS[name].until === undefined && QUIRKS[name].kind !== 'situation',
)) {
  differences[quirk] = await stepsThatDiffer(quirk);
  console.log(`${quirk}: ${Object.values(differences[quirk]).flat().length} steps`);
}
await writeFile(path.join(here, 'standard-differences.json'), `${JSON.stringify(differences, null, 2)}\n`);
