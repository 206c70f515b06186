import { setImmediate as othersTurn } from 'node:timers/promises';

/** How many items are made before other requests have their turn. */
const STEP = 10;

/** Makes something of each item of a list. Other requests have their turn between parts of it. */
export async function inTurns<Item, Made>(items: Iterable<Item>, make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    if (made.length > 0 && made.length % STEP === 0) await othersTurn();
    made.push(make(item));
  }
  return made;
}
