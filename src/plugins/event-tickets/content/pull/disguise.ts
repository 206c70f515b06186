import type { Attendee } from '../../../../sdk/types/responses.js';

/** Somebody in the list of attendees. */
type Person = Pick<Attendee, 'id' | 'title' | 'email'>;

const folded = (text: string): string => text.trim().toLowerCase();

/**
 * Replaces the names and addresses of attendees. A person with several tickets stays one: the same address always becomes the same other
 * one, and the same name with the same address the same other name. They are made from the lowest id of a person's attendees, so that
 * every copy has the same ones, and that nobody can compute the original from them.
 */
export class Disguise {
  private readonly addresses = new Map<string, number>();
  private readonly names = new Map<string, number>();

  /** Notes an attendee. All have to be known before the first one is disguised. */
  add(person: Person): void {
    const { id } = person;
    for (const [known, key] of [
      [this.addresses, this.addressKey(person)],
      [this.names, this.nameKey(person)],
    ] as const)
      known.set(key, Math.min(known.get(key) ?? id, id));
  }

  name(person: Person): string {
    return `Attendee ${this.names.get(this.nameKey(person)) ?? person.id}`;
  }

  /** An address that nobody can have; empty if there is none. */
  email(person: Person): string {
    return person.email ? `attendee-${this.addresses.get(this.addressKey(person)) ?? person.id}@example.org` : '';
  }

  /** Nobody is known to be the same person without an address. */
  private addressKey({ id, email = '' }: Person): string {
    return folded(email) || String(id);
  }

  private nameKey(person: Person): string {
    return JSON.stringify([this.addressKey(person), folded(person.title)]);
  }
}
