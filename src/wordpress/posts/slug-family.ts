import type { MirrorContent } from '../../database/memory/mirror.js';
import type { Post } from '../model.js';
import { truncateSlug } from '../formatting/sanitize.js';

/** Numbers of slugs have at most this many digits: no site has as many posts with one title. */
export const MAX_DIGITS = 7;

/** The part before a number with a count of digits: the longer the number, the more of a long slug is cut. */
const stemOf = (wanted: string, digits: number): string => truncateSlug(wanted, `-${'0'.repeat(digits)}`).slice(0, -digits);

/** The possible beginnings of numbered slugs, by the count of digits, from 1 on. */
export const stemsOf = (wanted: string): string[] => Array.from({ length: MAX_DIGITS }, (_, index) => stemOf(wanted, index + 1));

/** A numbered slug of a requested one, given the stems of that. */
export const numberedSlug = (stems: readonly string[], number: number): string => `${stems[String(number).length - 1]}${number}`;

export const FIRST = 2;

/** A post with one of some slugs. Type and status are known if the slug has no number. */
export type SlugHolder = Pick<Post, '_id' | 'slug' | 'parent'> & Partial<Pick<Post, 'type' | 'status'>>;

/** With more posts than this, the database is asked. */
const MAX_HOLDERS = 20_000;

/** The posts that have a slug, or the slug with a number. The first free number is known, so that it need not be searched for. */
export class SlugFamily implements MirrorContent<SlugHolder> {
  private readonly stems: readonly string[];
  private readonly byId = new Map<number, SlugHolder>();
  private readonly bySlug = new Map<string, SlugHolder[]>();
  /** All numbers below are taken, by the parent that the slugs have. */
  private readonly takenBelow = new Map<number, number>();

  /**
   * @param types the types that share slugs
   * @param isNested whether slugs are unique among siblings only
   */
  constructor(
    private readonly wanted: string,
    private readonly types: readonly string[],
    private readonly isNested: boolean,
  ) {
    this.stems = stemsOf(wanted);
  }

  get isTooLarge(): boolean {
    return this.byId.size > MAX_HOLDERS;
  }

  add({ _id, slug, parent, type, status }: SlugHolder): void {
    this.remove(_id);
    if ((type !== undefined && !this.types.includes(type)) || (slug !== this.wanted && this.numberOf(slug) === null)) return;
    const holder = { _id, slug, parent, type, status };
    this.byId.set(_id, holder);
    this.bySlug.set(slug, [...(this.bySlug.get(slug) ?? []), holder]);
  }

  remove(id: number): void {
    const holder = this.byId.get(id);
    if (!holder) return;
    this.byId.delete(id);
    const others = this.holders(holder.slug).filter((other) => other !== holder);
    if (others.length > 0) this.bySlug.set(holder.slug, others);
    else this.bySlug.delete(holder.slug);
    const scope = this.scopeOf(holder.parent);
    const number = this.numberOf(holder.slug);
    if (number !== null && number < (this.takenBelow.get(scope) ?? FIRST)) this.takenBelow.set(scope, number);
  }

  holders(slug = this.wanted): readonly SlugHolder[] {
    return this.bySlug.get(slug) ?? [];
  }

  /** The first numbered slug that no other post has. @param id of the post that asks @param parent of it */
  firstFree(id: number, parent: number): string {
    const scope = this.scopeOf(parent);
    const isTaken = (slug: string, byOther = false): boolean =>
      this.holders(slug).some((holder) => (!byOther || holder._id !== id) && this.scopeOf(holder.parent) === scope);
    let free = this.takenBelow.get(scope) ?? FIRST;
    while (isTaken(numberedSlug(this.stems, free))) free += 1;
    this.takenBelow.set(scope, free);
    const own = this.byId.get(id);
    const number = own && this.scopeOf(own.parent) === scope ? this.numberOf(own.slug) : null;
    if (own && number !== null && number < free && !isTaken(own.slug, true)) return own.slug;
    return numberedSlug(this.stems, free);
  }

  private scopeOf(parent: number): number {
    return this.isNested ? parent : 0;
  }

  /** The number of a slug; null if it is another slug. */
  private numberOf(slug: string): number | null {
    const digits = /-([1-9][0-9]*)$/.exec(slug)?.[1] ?? '';
    const number = Number(digits);
    return number >= FIRST && digits.length <= MAX_DIGITS && slug === numberedSlug(this.stems, number) ? number : null;
  }
}
