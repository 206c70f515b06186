/** Maximum number of characters of texts and results in the cache of a function. */
const MOST_CHARACTERS = 4_000_000;

/**
 * Caches the latest results of a function from text to text, since the same texts are shown repeatedly.
 * @param render must depend only on its argument
 */
export function memoized(render: (text: string) => string, limit = MOST_CHARACTERS): (text: string) => string {
  const known = new Map<string, string>();
  let size = 0;
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const rendered = render(text);
    const added = text.length + rendered.length;
    if (added > limit) return rendered;
    known.set(text, rendered);
    size += added;
    for (const [oldest, result] of known) {
      if (size <= limit) break;
      known.delete(oldest);
      size -= oldest.length + result.length;
    }
    return rendered;
  };
}
