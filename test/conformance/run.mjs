// Replays all recordings and says per scenario what differs: against this server, or with TARGET=url against any other.
// TARGET is a REST root (http://host/wp-json); RESET a URL that takes it back to the recorded world; NAMESPACE what it calls the calendar.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { replay } from './replay-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { TARGET, RESET, NAMESPACE } = process.env;

async function report(title, options) {
  const { passed, failed, steps, scenarios } = await replay({ ...options, only: process.argv.slice(2) });
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

let failed = 0;
if (TARGET) {
  failed = await report(TARGET, { restUrl: TARGET.replace(/\/$/, ''), namespace: NAMESPACE ?? 'tribe/events/v1', resetUrl: RESET });
} else {
  const { createServer } = await import('../../dist/index.js');
  const server = await createServer({ dataset: path.join(here, 'world.json'), profile: 'tec' });
  try {
    for (const namespace of server.namespaces) {
      failed += await report(namespace, { restUrl: server.restUrl, namespace, resetUrl: `${server.url}/__qa/reset` });
    }
  } finally {
    await server.close();
  }
}
process.exit(failed === 0 ? 0 : 1);
