// Prints the software bill of materials (CycloneDX) of what users get: node scripts/sbom.mjs >sbom.cdx.json
import { spawnSync } from 'node:child_process';
import { writeShippedProject } from './shipped.mjs';

const args = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'];
const { status } = spawnSync('npm', args, { cwd: writeShippedProject(), stdio: 'inherit', shell: process.platform === 'win32' });
process.exitCode = status ?? 1;
