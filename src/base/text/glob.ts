/** A step of a pattern. It accepts one character, and any number of them if it repeats. */
interface Step {
  accepts: (character: string) => boolean;
  repeats?: boolean;
  /** Whether this step may be skipped together with the next one. */
  optional?: boolean;
  /** Whether it accepts everything, so that no other path through the pattern can match more. */
  isAny?: boolean;
}

/** A compiled pattern. */
export interface Glob {
  test: (text: string) => boolean;
}

const ANY: Step = { accepts: () => true, repeats: true, isAny: true };
const WITHIN_SEGMENT: Step = { accepts: (character) => character !== '/', repeats: true };
const ONE: Step = { accepts: (character) => character !== '/' };
const SLASHES: Step = { accepts: (character) => character === '/', repeats: true };
const SLASH: Step = { accepts: (character) => character === '/', optional: true };

const literal = (text: string): Step[] => text.split('').map((wanted) => ({ accepts: (character) => character === wanted }));

/** The positions in a pattern that a text may have reached. Position `n`: before step `n`. */
class Positions {
  list: number[] = [];
  private floor = 0;
  private readonly seen: Int32Array;

  constructor(private readonly steps: readonly Step[]) {
    this.seen = new Int32Array(steps.length + 1).fill(-1);
  }

  /** Adds a position and those that need no further character. @param at number of characters read */
  add(position: number, at: number): void {
    for (let next = position; next >= this.floor && this.seen[next] !== at; next += 1) {
      this.seen[next] = at;
      this.list.push(next);
      const step = this.steps.at(next);
      if (step?.optional) this.add(next + 2, at);
      if (step?.isAny) this.floor = next;
      if (!step?.repeats) return;
    }
  }

  read(character: string, at: number): void {
    const before = this.list;
    this.list = [];
    for (const position of before) {
      const step = position < this.floor ? undefined : this.steps.at(position);
      if (step?.accepts(character)) this.add(step.repeats ? position : position + 1, at);
    }
  }
}

/**
 * Matches a text against all paths through a pattern at once. A regular expression would try them one after another: exponentially many for
 * `**a**a**a`. Here each character is compared with each step since the last `**` at most once.
 */
function compile(steps: readonly Step[]): Glob {
  return {
    test: (text) => {
      const positions = new Positions(steps);
      positions.add(0, 0);
      for (let at = 0; at < text.length && positions.list.length > 0; at += 1) positions.read(text[at], at + 1);
      return positions.list.includes(steps.length);
    },
  };
}

const WILDCARDS: ReadonlyMap<string, readonly Step[]> = new Map([
  ['/**', [SLASH, ANY]],
  ['**', [ANY]],
  ['*', [WITHIN_SEGMENT]],
  ['?', [ONE]],
]);

/** Compiles a glob for paths: `*` matches within a segment, `**` across segments, `?` a single character. Trailing slashes are ignored. */
export function glob(pattern: string): Glob {
  const parts = pattern.replace(/(?<=.)\/+$/, '').split(/(\/\*\*(?=\/|$)|\*\*|\*|\?)/);
  return compile([...parts.flatMap((part) => WILDCARDS.get(part) ?? literal(part)), SLASHES]);
}

/** Compiles a glob for values, where `*` matches any text. */
export const valueGlob = (pattern: string): Glob =>
  compile(pattern.split('*').flatMap((part, i) => [...(i === 0 ? [] : [ANY]), ...literal(part)]));
