/** Types of node-versions.mjs, for the tests. */
export const VERSIONS: readonly { name: string; version: string; package: string; file: string; args?: readonly string[] }[];
