const isHexDigit = (char: string | undefined): boolean => char !== undefined && /^[0-9a-f]$/i.test(char);
const isAny = (): boolean => true;

/**
 * Removes `%` with two hexadecimal digits from a text, all of them or those that `isDropped` selects by their digits, also if a removal
 * creates another (`%4%411`). Triplets cannot overlap, so one pass with a stack suffices.
 */
export const dropTriplets = (text: string, isDropped: (digits: string) => boolean = isAny): string => {
  if (!text.includes('%')) return text;
  const kept: string[] = [];
  for (const char of text) {
    const first = kept.at(-1);
    const isTriplet = isHexDigit(char) && isHexDigit(first) && kept.at(-2) === '%' && isDropped(`${first ?? ''}${char}`);
    if (isTriplet) kept.length -= 2;
    else kept.push(char);
  }
  return kept.join('');
};
