// Compiles whenever a source changes and restarts the server whenever what was compiled changes, styles included. Arguments go to `serve`:
//   npm run dev -- --ephemeral --port 3000
import { spawn } from 'node:child_process';
import { rmSync, utimesSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { copyAssets } from './assets.mjs';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const isWindows = process.platform === 'win32';

// Otherwise the bundle would be run instead of the compiled modules.
for (const name of ['.built', 'engine.cjs', 'understudy.cjs']) rmSync(`${cwd}dist/${name}`, { force: true });

// A separate process group: `tsc` of npm starts the compiler as a child, which has to end, too.
const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  {
    cwd,
    detached: !isWindows,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
let server;

const startServer = () => {
  const args = ['--watch', '--watch-preserve-output', 'dist/cli.js', 'serve', ...process.argv.slice(2)];
  server = spawn(process.execPath, args, { cwd, stdio: 'inherit' });
  server.on('exit', end);
};

/** Styles and the control page are not modules: touching a module reports their changes. */
const watchAssets = () => {
  for (const folder of ['src/wordpress/pages/styles', 'src/control/qa/ui', 'src/control/qa/ui/rules', 'src/control/qa/ui/styles']) {
    watch(`${cwd}${folder}`, () => {
      copyAssets(`${cwd}dist`);
      const now = new Date();
      utimesSync(`${cwd}dist/wordpress/pages/assets.js`, now, now);
    });
  }
};

function end() {
  server?.kill('SIGTERM');
  if (compiler.exitCode !== null || compiler.signalCode !== null) return;
  if (isWindows) compiler.kill();
  else if (compiler.pid !== undefined) process.kill(-compiler.pid, 'SIGTERM');
}

let said = '';
compiler.stdout.setEncoding('utf8').on('data', (chunk) => {
  process.stdout.write(chunk);
  if (server) return;
  said += chunk;
  if (!said.includes('Watching for file changes')) return;
  // The first compilation writes every file: a running server would only be restarted.
  copyAssets(`${cwd}dist`);
  watchAssets();
  startServer();
});
compiler.on('exit', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
