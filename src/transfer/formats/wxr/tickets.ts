import { readUtf8, type TextFile } from '../encoding.js';
import { TICKET_TYPES } from '../../../plugins/event-tickets/model/names.js';

const TICKET = new RegExp(`<wp:post_type>\\s*(?:<!\\[CDATA\\[)?(?:${TICKET_TYPES.join('|')})\\b`);

/** More characters than the pattern matches. */
const OVERLAP = 200;

/** Whether an export has tickets, which need their plugin. It is known before the items are read. */
export async function hasTickets(file: TextFile): Promise<boolean> {
  let before = '';
  for await (const chunk of readUtf8(file, { highWaterMark: 1 << 20 })) {
    const text = before + chunk.toString('latin1');
    if (TICKET.test(text)) return true;
    before = text.slice(-OVERLAP);
  }
  return false;
}
