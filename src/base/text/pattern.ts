/**
 * A regular expression that matches exactly a text. MongoDB finds the beginning of such a pattern in an index, and rejects NUL in patterns.
 */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
