/* The first import of every entry point: what comes after it may use what older releases lack. It must not itself. */

/** The oldest release that `engines` in package.json allows. */
const OLDEST = [20, 19];

/** What is wrong with a release of Node.js, such as `20.19.0`; null if nothing is. */
export function nodeProblem(version: string): string | null {
  const [major, minor] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return isOld ? `wp-understudy needs Node.js ${OLDEST.join('.')} or later; this is ${version}` : null;
}

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
  const error = new Error(problem);
  // Where it was thrown says nothing to the user.
  error.stack = `Error: ${problem}`;
  throw error;
}
