#!/usr/bin/env bash
# Deno 2.9.6: `deno test` ignores errors of `afterEach` and `after` of node:test.
#
# Run: bash findings/deno-node-test-hooks.sh (about 150 MB from the npm registry)
#
# Node.js fails a test whose `afterEach` hook throws, and a file whose `after` hook throws: helpers check there what a test has left behind.
# Under `deno test` the same files pass with exit code 0, and nothing is printed. Errors of `t.after` do fail the test.
#
# Seen with Deno 2.9.6 and Node.js 20.20.2:
#   afterEach: node 1, deno 0, "1 passed | 0 failed"
#   after: node 1, deno 0, "1 passed | 0 failed"
#   t.after: node 1, deno 1
# For users of Understudy: docs/helpers.md, "Bun and Deno". The helper checks in `t.after` there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund deno@2.9.6 >/dev/null 2>&1

cat >afterEach.test.mjs <<'JS'
import { afterEach, test } from 'node:test';
afterEach(() => {
  throw new Error('left behind');
});
test('passes', () => {});
JS
cat >after.test.mjs <<'JS'
import { after, test } from 'node:test';
after(() => {
  throw new Error('left behind');
});
test('passes', () => {});
JS
cat >t.after.test.mjs <<'JS'
import { test } from 'node:test';
test('passes', (t) => {
  t.after(() => {
    throw new Error('left behind');
  });
});
JS

code() { "$@" >output.log 2>&1 && echo 0 || echo 1; }
failed=0
expect() {
  local hook=$1 wanted=$2 node deno
  node=$(code node --test "$hook.test.mjs")
  deno=$(NO_COLOR=1 code npx deno test -A "$hook.test.mjs")
  echo "$hook: node $node, deno $deno; $(grep -oE '[0-9]+ passed \| [0-9]+ failed' output.log || echo 'no summary')"
  [ "$node $deno" = "$wanted" ] || failed=1
}
expect afterEach '1 0'
expect after '1 0'
expect t.after '1 1'
[ "$failed" -eq 0 ] || echo 'This has changed.' >&2
exit "$failed"
