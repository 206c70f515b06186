// What the build takes as it is: styles of the pages, the files of the page of the test surface, and of Swagger UI what that page shows. The
// package is copied rather than depended on: one of its dependencies reports every installation to its maker. And the types of the bundle.
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SWAGGER = ['swagger-ui-bundle.js', 'swagger-ui.css', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'];

/** Copies them into the folder of a build. */
export function copyAssets(dist) {
  copyFileSync(path.join(root, 'src/understudy.d.cts'), path.join(dist, 'understudy.d.cts'));
  cpSync(path.join(root, 'src/pages/styles'), path.join(dist, 'pages', 'styles'), { recursive: true });
  const ui = path.join(dist, 'qa', 'ui');
  cpSync(path.join(root, 'src/qa/ui'), ui, { recursive: true, filter: (name) => !name.endsWith('.ts') });
  copyFileSync(path.join(root, 'node_modules/htm/preact/standalone.module.js'), path.join(ui, 'htm.js'));
  copyFileSync(path.join(root, 'node_modules/htm/LICENSE'), path.join(ui, 'htm.LICENSE.txt'));
  mkdirSync(path.join(ui, 'swagger'), { recursive: true });
  for (const name of SWAGGER) copyFileSync(path.join(root, 'node_modules/swagger-ui-dist', name), path.join(ui, 'swagger', name));
}
