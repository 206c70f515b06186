/** Types of tools.mjs, for the tests. */
export interface Tools {
  /** The folder of their packages. */
  modules: string;
  names: readonly string[];
  /** Programs. */
  node: string;
  bun: string;
  deno: string;
}
export function installedTools(): Tools | null;
