/** The release of WordPress that was recorded under each setting. */
export const SETTINGS_RECORDED_WITH: string;
/** The settings that were recorded, by name. */
export const SETTINGS: Readonly<Record<string, object>>;
export function withSettings(name: string): object;
export function withOptions(options: Readonly<Record<string, string>>): object;
