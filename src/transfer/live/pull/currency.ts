import type { CurrencyDefaults } from '../../../plugins/the-events-calendar/model/cost.js';
import type { Event, OfferJsonLd } from '../../../sdk/types/responses.js';
import { unescapedHtml } from './unrender.js';

/** The offer of an event itself. The offers of its tickets say nothing of its cost. */
export function offerOf(single: Event | undefined): OfferJsonLd | undefined {
  const offers = single?.json_ld?.offers;
  return Array.isArray(offers) ? undefined : offers;
}

/** Infers the default currency of a site from events that have no currency. */
export class CurrencyGuess {
  private symbol: string | undefined;
  private position: 'prefix' | 'postfix' | undefined;
  private code: string | undefined;

  add(event: Event, single: Event | undefined): void {
    const { currency_symbol: symbol, currency_position: position, currency_code: code, values } = event.cost_details;
    const [value] = values;
    const offer = offerOf(single);
    if (code === '' && offer !== undefined) this.code ??= offer.priceCurrency;
    if (values.length !== 1 || !/^\d+$/.test(value) || !/\d/.test(event.cost)) return;
    const found = /^(\D*)[\d.,]+(\D*)$/.exec(unescapedHtml(event.cost));
    if (!found) return;
    if (position === '' && (found[1] === '') !== (found[2] === '')) this.position ??= found[1] === '' ? 'postfix' : 'prefix';
    if (symbol === '') this.symbol ??= found[1] + found[2];
  }

  /** The inferred currency, with the plugin's defaults for unknown parts. */
  get found(): CurrencyDefaults {
    return { symbol: this.symbol ?? '$', code: this.code ?? 'USD', reversePosition: this.position === 'postfix' };
  }
}
