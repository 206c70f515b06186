/** The companion plugins that were recorded, by the name of their recordings. */
export const COMPANIONS: Readonly<Record<string, string>>;
/** The recorded content of the site with a companion plugin. */
export function worldWith(name: string): object;
