/** The companion plugins that were recorded, by the name of their recordings. */
export const COMPANIONS: Readonly<Record<string, string>>;
/** The file with the recorded content of the site with a companion plugin, in a folder with its uploads. */
export function worldWith(name: string): string;
