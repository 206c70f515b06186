// npm audit of the packages that are installed with this one or bundled in it, also if the registry has no audit service: npm then uses a
// local server with the advisories of scripts/advisories.json. npm run audit; with -- --known only the local server, so that the result does
// not change over time.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { writeShippedProject } from './shipped.mjs';

const SCRIPTS = path.dirname(fileURLToPath(import.meta.url));
const { until, advisories } = JSON.parse(readFileSync(path.join(SCRIPTS, 'advisories.json'), 'utf8'));

const project = writeShippedProject();

/** @returns exit code and output of npm in the project */
const npm = (...args) =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });

const audit = (...args) => npm('audit', '--package-lock-only', '--omit=dev', '--audit', '--loglevel=error', ...args);

const told = ({ package: name, ...advisory }, index) => ({
  id: index + 1,
  name,
  url: `https://github.com/advisories/${advisory.id}`,
  title: advisory.title,
  severity: advisory.severity,
  vulnerable_versions: advisory.vulnerable,
  cwe: [],
  cvss: { score: 0, vectorString: null },
});

/** The requests of npm in an audit: the advisories of packages, by name, and the packages that have any. */
function standIn(registry) {
  const answer = async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(302, { location: new URL(`.${request.url}`, registry).href }).end();
      return;
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const asked = JSON.parse(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    const known = advisories.map(told).filter(({ name }) => Object.hasOwn(asked, name));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(grouped(known)));
  };
  return http.createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
}

const grouped = (known) =>
  Object.fromEntries([...new Set(known.map(({ name }) => name))].map((name) => [name, known.filter((each) => each.name === name)]));

async function auditKnown() {
  const registry = (await npm('config', 'get', 'registry')).stdout.trim().replace(/\/*$/, '/');
  const server = standIn(registry).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await audit('--registry', `http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const hasNoService = ({ stderr }) => /audit endpoint returned an error/.test(stderr);

const asked = process.argv.includes('--known') ? null : await audit();
if (asked && hasNoService(asked)) console.log('The registry has no audit service.');
const isAnswered = asked && !hasNoService(asked);
if (!isAnswered) console.log(`Held against the ${advisories.length} advisories of scripts/advisories.json, which end with ${until}:`);
const { code, stdout, stderr } = isAnswered ? asked : await auditKnown();
process.stdout.write(stdout);
if (code !== 0) process.stderr.write(stderr);
process.exitCode = code;
