import type { CurrencyDefaults } from '../../../plugins/the-events-calendar/model/cost.js';
import type { Event } from '../../../sdk/types/responses.js';
import { unescapedHtml } from './unrender.js';

/** Infers the default currency of a site from events that have no currency. */
export class CurrencyGuess {
  private symbol: string | undefined;
  private position: 'prefix' | 'postfix' | undefined;
  private code: string | undefined;

  add(event: Event, single: Event | undefined): void {
    const { currency_symbol: symbol, currency_position: position, currency_code: code, values } = event.cost_details;
    const [value] = values;
    const offer = single?.json_ld?.offers;
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
