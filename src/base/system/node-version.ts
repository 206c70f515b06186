/* The first import of every entry point: later imports may use features that older releases lack, but this file must not. */

/** The oldest release that `engines` in package.json allows. */
const OLDEST = [20, 19];

/** Why a release of Node.js, such as `20.19.0`, is not supported; null if it is. */
export function nodeProblem(version: string): string | null {
  const [major, minor] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return isOld ? `wp-understudy needs Node.js ${OLDEST.join('.')} or later; this is ${version}` : null;
}

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
  const error = new Error(problem);
  // The stack is of no use to the user.
  error.stack = `Error: ${problem}`;
  throw error;
}
