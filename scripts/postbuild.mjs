// After the compiler: what it cannot write into the folder of the build, dist unless another is given.
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyAssets } from './assets.mjs';

const dist = path.resolve(process.argv[2] ?? 'dist');
chmodSync(path.join(dist, 'cli.js'), 0o755);
copyAssets(dist);
// The package is one of ES modules; what jest's and others' `require` get is not.
writeFileSync(path.join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
