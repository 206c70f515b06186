export const SETTINGS_RECORDED_WITH: string;
export const SETTINGS: Readonly<Record<string, object>>;
/** The content of the recorded site under a setting, as a file of a recorded site. */
export function withSettings(name: string): object;
