const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Compiles a pattern of paths: `*` stands for anything within a segment, `**` for anything at all, `?` for one character. Trailing slashes
 * do not count.
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

/** The same for values, where slashes mean nothing. */
export const valueGlob = (pattern: string): RegExp => new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`, 's');
