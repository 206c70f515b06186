import { TICKETS_QUIRKS } from './rows.js';

declare module '../../../wordpress/quirks.js' {
  interface QuirkNames extends Record<keyof typeof TICKETS_QUIRKS, true> {}
}

export { TICKETS_QUIRKS };
