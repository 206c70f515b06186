#!/usr/bin/env node
try {
  await import('./base/system/node-version.js');
} catch (error) {
  process.stderr.write(`understudy: ${(error as Error).message}\n`);
  process.exit(1);
}
const { load, optimizeLater } = await import('./load.js');
optimizeLater();
const { main } = await load();
main(process.argv.slice(2));

export {};
