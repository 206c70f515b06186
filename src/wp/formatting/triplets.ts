const isHexDigit = (char: string | undefined): boolean => char !== undefined && /^[0-9a-f]$/i.test(char);
const isAny = (): boolean => true;

/**
 * Takes `%` with two hexadecimal digits out of a text, all of them or those that `isDropped` names by their digits, and also where taking
 * one out brings another together (`%4%411`). Two triplets cannot overlap, so the order does not matter and one pass with a stack does.
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
