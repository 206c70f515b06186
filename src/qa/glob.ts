const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Compiles a glob for paths: `*` matches within a segment, `**` across segments, `?` a single character. Trailing slashes are ignored.
 */
export function glob(pattern: string): RegExp {
  const parts = pattern.replace(/(?<=.)\/+$/, '').split(/(\/\*\*(?=\/|$)|\*\*|\*|\?)/);
  const source = parts.map((part) => {
    if (part === '/**') return '(?:/.*)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : escape(part);
  });
  return new RegExp(`^${source.join('')}/*$`, 's');
}

/** Compiles a glob for values, where `*` matches any text. */
export const valueGlob = (pattern: string): RegExp => new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`, 's');
