/** A regular expression that matches exactly a text. MongoDB finds the beginning of such a pattern in an index. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
