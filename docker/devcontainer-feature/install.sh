#!/bin/sh
# Installs the package, and understudy-start, which the dev container runs in the workspace whenever it starts.
set -eu

package=${PACKAGE:-wp-understudy@latest}
dataset=${DATASET:-demo}
port=${PORT:-8080}
bin=${BIN:-/usr/local/bin}

if ! command -v npm > /dev/null; then
  echo 'understudy: Node.js is missing. Add the feature ghcr.io/devcontainers/features/node, or use an image that has Node.js.' >&2
  exit 1
fi
npm install --global "$package"

# A text as a literal of the shell.
quoted() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

cat > "$bin/understudy-start" << END
#!/bin/sh
# Starts a calendar with a temporary store, unless one runs, and waits until it responds.
set -eu
dataset=$(quoted "$dataset")
port=$(quoted "$port")
END
cat >> "$bin/understudy-start" << 'END'
log=${TMPDIR:-/tmp}/understudy-start.log
responds() {
  node --eval 'fetch(`http://127.0.0.1:${process.argv[1]}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' "$port"
}
if ! responds; then
  setsid nohup understudy serve --dataset "$dataset" --port "$port" --ephemeral > "$log" 2>&1 < /dev/null &
  tries=0
  until responds; do
    tries=$((tries + 1))
    if [ "$tries" -gt 60 ]; then
      cat "$log" >&2
      exit 1
    fi
    sleep 1
  done
fi
echo "Calendar: http://127.0.0.1:$port/events/, control page: http://127.0.0.1:$port/__qa/ui"
END
chmod 755 "$bin/understudy-start"
