import { lookup } from '../../base/values/records.js';
import places from './places.json' with { type: 'json' };

/** A currency as an event stores it. */
interface PlaceCurrency {
  symbol: string;
  code: string;
  position: 'prefix' | 'postfix';
  /** Price of a typical ticket, in whole units. */
  ticket: number;
}

/** Patterns of addresses, telephone numbers and venue names in a country. */
export interface Country {
  name: string;
  currency: PlaceCurrency;
  /** `%n` is a house number, `%s` a street, `%d` a digit. */
  address: string;
  streets: readonly string[];
  phone: string;
  /** Names of venues; `%c` is the city, `%s` a street without its number. */
  venues: readonly string[];
}

export interface City {
  name: string;
  country: string;
  /** State or province, if addresses have one. */
  region: string;
  zip: string;
  zone: string;
  /** Degrees, of the center of the town. */
  lat: number;
  lng: number;
}

export const COUNTRIES = lookup(places.countries as Readonly<Record<string, Country>>);

/** Towns of the generated events, with the coordinates of their centers. */
export const CITIES: readonly City[] = places.cities;

/** Time zones with a town in the table. */
export const ZONES: readonly string[] = [...new Set(CITIES.map(({ zone }) => zone))];
