/** Elements without an end tag. */
const SINGLE: ReadonlySet<string> = new Set(
  'area base basefont br col command embed frame hr img input isindex link meta param source track wbr'.split(' '),
);
/** Elements that can contain themselves. */
const NESTABLE: ReadonlySet<string> = new Set('article aside blockquote details div figure object q section span'.split(' '));

const TAG = /<(\/?)([a-z][a-z0-9._]*-[a-z0-9._-]+|[\w:]+)(?:\s*(\/?)|(\s+)([^>]*))>/g;

/** The open elements of a text, the innermost last. */
class OpenElements {
  private readonly names: string[] = [];

  /** Ends elements up to one with this name; '' if none is open. */
  end(name: string): string {
    const at = this.names.lastIndexOf(name);
    return at < 0 ? '' : this.endFrom(at);
  }

  /** Starts an element. WP: one that cannot contain itself ends the same one before it. */
  start(name: string): string {
    const ended = this.names.at(-1) === name && !NESTABLE.has(name) ? this.endFrom(this.names.length - 1) : '';
    this.names.push(name);
    return ended;
  }

  endFrom(at: number): string {
    return this.names
      .splice(at)
      .toReversed()
      .map((name) => `</${name}>`)
      .join('');
  }
}

/** WordPress `force_balance_tags`: ends open elements, and drops ends of other elements. */
export function balanceTags(html: string): string {
  const text = html.replaceAll('< !--', '<    !--').replace(/<(\d)/g, '&lt;$1');
  // After the last `>` there is no tag.
  const end = text.lastIndexOf('>') + 1;
  const open = new OpenElements();
  const balanced = text
    .slice(0, end)
    .replace(TAG, (_, slash: string, written: string, closer: string | undefined, blanks: string | undefined, rest: string | undefined) => {
      const name = written.toLowerCase();
      if (slash !== '') return open.end(name);
      const attributes = (rest ?? closer ?? '').trim();
      const isSingle = SINGLE.has(name);
      if (attributes.endsWith('/'))
        return isSingle ? `<${name} ${attributes}>` : `<${name}${blanks ?? ''}${attributes.slice(0, -1).trim()}></${name}>`;
      if (isSingle) return `<${name} ${attributes}/>`;
      return `${open.start(name)}<${name}${blanks ?? ''}${attributes}>`;
    });
  return (balanced + text.slice(end) + open.endFrom(0)).replaceAll('< !--', '<!--').replaceAll('<    !--', '< !--');
}
