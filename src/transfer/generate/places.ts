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
  /** Degrees, of the centre of the town. */
  lat: number;
  lng: number;
}

const EURO: PlaceCurrency = { symbol: '€', code: 'EUR', position: 'postfix', ticket: 18 };

export const COUNTRIES: Readonly<Record<string, Country>> = {
  DE: {
    name: 'Germany',
    currency: EURO,
    address: '%s %n',
    streets: ['Lindenstraße', 'Mühlgasse', 'Am Markt', 'Gartenweg', 'Königsallee', 'Hafenstraße', 'Schloßplatz', 'Brückenstraße'],
    phone: '+49 30 555 %d%d%d%d',
    venues: [
      'Kulturhaus %c',
      'Stadthalle %c',
      'Altes Kino',
      'Theater am Fluss',
      'Bürgerzentrum %s',
      'Kleine Bühne',
      'Gasthof Grüner Baum',
      'Literaturhaus %c',
    ],
  },
  FR: {
    name: 'France',
    currency: EURO,
    address: '%n %s',
    streets: ['rue des Lilas', 'avenue de la République', 'quai du Marché', 'place de l’Église', 'rue du Château', 'boulevard Voltaire'],
    phone: '+33 1 55 55 %d%d %d%d',
    venues: [
      'Salle des Fêtes de %c',
      'Théâtre de la Fontaine',
      'Médiathèque Éluard',
      'Café du Marché',
      'Maison des Associations',
      'Le Petit Entrepôt',
    ],
  },
  GB: {
    name: 'United Kingdom',
    currency: { symbol: '£', code: 'GBP', position: 'prefix', ticket: 15 },
    address: '%n %s',
    streets: ['High Street', 'Mill Lane', 'Station Road', 'Church Walk', 'Canal Street', 'Park Row'],
    phone: '+44 20 7946 0%d%d%d',
    venues: [
      '%c Town Hall',
      'The Old Fire Station',
      'Canal Side Arts',
      "St Anne's Hall",
      'The Wool Exchange',
      '%c Library',
      'The Crown & Anchor',
    ],
  },
  US: {
    name: 'United States',
    currency: { symbol: '$', code: 'USD', position: 'prefix', ticket: 20 },
    address: '%n %s',
    streets: ['Main Street', 'Oak Avenue', 'Riverside Drive', '2nd Street', 'Maple Avenue', 'Market Street', 'Washington Boulevard'],
    phone: '+1 555 01%d %d%d%d%d',
    venues: [
      '%c Community Center',
      'The Brick House',
      'Riverfront Pavilion',
      '%c Public Library',
      'Union Hall',
      "O'Malley's Back Room",
      'Museum of Everyday Things',
      'The Yard',
    ],
  },
  CA: {
    name: 'Canada',
    currency: { symbol: '$', code: 'CAD', position: 'prefix', ticket: 24 },
    address: '%n %s',
    streets: ['Queen Street', 'Lakeshore Road', 'Rue Sainte-Anne', 'Elm Street', 'Harbour Street'],
    phone: '+1 555 02%d %d%d%d%d',
    venues: ['%c Cultural Centre', 'Harbour Stage', 'Salle Beauséjour', 'The Granary', '%c Library Theatre'],
  },
  JP: {
    name: 'Japan',
    currency: { symbol: '¥', code: 'JPY', position: 'prefix', ticket: 2500 },
    address: '%s %d-%d-%d',
    streets: ['中央', '本町', '桜台', '港南', '緑ヶ丘'],
    phone: '+81 3 5550 %d%d%d%d',
    venues: ['市民文化会館', '駅前ホール', '桜ギャラリー', '中央図書館', 'ライブハウス 月光'],
  },
  IN: {
    name: 'India',
    currency: { symbol: '₹', code: 'INR', position: 'prefix', ticket: 600 },
    address: '%n, %s',
    streets: ['M.G. Road', 'Temple Street', 'Lake View Road', 'Gandhi Nagar', 'Residency Road'],
    phone: '+91 80 5555 %d%d%d%d',
    venues: ['%c Town Hall', 'Kala Mandir', 'Lakeside Amphitheatre', 'Banyan Café', 'Chowdiah Rooms'],
  },
  AU: {
    name: 'Australia',
    currency: { symbol: '$', code: 'AUD', position: 'prefix', ticket: 30 },
    address: '%n %s',
    streets: ['George Street', 'Esplanade', 'Wattle Grove', 'Victoria Street', 'Harbour Parade'],
    phone: '+61 2 5550 %d%d%d%d',
    venues: ['%c Arts Centre', 'The Boatshed', 'Wattle Hall', 'Harbour Rooms', 'The Tin Shed'],
  },
  BR: {
    name: 'Brazil',
    currency: { symbol: 'R$', code: 'BRL', position: 'prefix', ticket: 60 },
    address: '%s, %n',
    streets: ['Rua das Flores', 'Avenida Central', 'Praça da Sé', 'Rua São João', 'Ladeira do Carmo'],
    phone: '+55 11 5555 %d%d%d%d',
    venues: ['Casa de Cultura de %c', 'Teatro da Praça', 'Galpão das Artes', 'Espaço São João', 'Biblioteca do Bairro'],
  },
};

const city = (
  name: string,
  country: keyof typeof COUNTRIES,
  region: string,
  zip: string,
  zone: string,
  lat: number,
  lng: number,
): City => ({
  name,
  country,
  region,
  zip,
  zone,
  lat,
  lng,
});

/** Towns of the generated events, with the coordinates of their centres. */
export const CITIES: readonly City[] = [
  city('Berlin', 'DE', '', '10115', 'Europe/Berlin', 52.52, 13.405),
  city('Köln', 'DE', '', '50667', 'Europe/Berlin', 50.9375, 6.9603),
  city('München', 'DE', '', '80331', 'Europe/Berlin', 48.1374, 11.5755),
  city('Leipzig', 'DE', '', '04109', 'Europe/Berlin', 51.3397, 12.3731),
  city('Paris', 'FR', '', '75001', 'Europe/Paris', 48.8566, 2.3522),
  city('Lyon', 'FR', '', '69001', 'Europe/Paris', 45.764, 4.8357),
  city('Besançon', 'FR', '', '25000', 'Europe/Paris', 47.2378, 6.0241),
  city('London', 'GB', '', 'EC1A 1BB', 'Europe/London', 51.5074, -0.1278),
  city('Manchester', 'GB', '', 'M1 1AE', 'Europe/London', 53.4808, -2.2426),
  city('Edinburgh', 'GB', '', 'EH1 1YZ', 'Europe/London', 55.9533, -3.1883),
  city('New York', 'US', 'NY', '10001', 'America/New_York', 40.7128, -74.006),
  city('Boston', 'US', 'MA', '02108', 'America/New_York', 42.3601, -71.0589),
  city('Asheville', 'US', 'NC', '28801', 'America/New_York', 35.5951, -82.5515),
  city('Chicago', 'US', 'IL', '60601', 'America/Chicago', 41.8781, -87.6298),
  city('Austin', 'US', 'TX', '78701', 'America/Chicago', 30.2672, -97.7431),
  city('Denver', 'US', 'CO', '80202', 'America/Denver', 39.7392, -104.9903),
  city('San Francisco', 'US', 'CA', '94103', 'America/Los_Angeles', 37.7749, -122.4194),
  city('Portland', 'US', 'OR', '97201', 'America/Los_Angeles', 45.5152, -122.6784),
  city('Toronto', 'CA', 'ON', 'M5H 2N2', 'America/Toronto', 43.6532, -79.3832),
  city('Montréal', 'CA', 'QC', 'H2Y 1C6', 'America/Toronto', 45.5017, -73.5673),
  city('東京', 'JP', '東京都', '100-0001', 'Asia/Tokyo', 35.6762, 139.6503),
  city('京都', 'JP', '京都府', '600-8001', 'Asia/Tokyo', 35.0116, 135.7681),
  city('Bengaluru', 'IN', 'Karnataka', '560001', 'Asia/Kolkata', 12.9716, 77.5946),
  city('Kolkata', 'IN', 'West Bengal', '700001', 'Asia/Kolkata', 22.5726, 88.3639),
  city('Sydney', 'AU', 'NSW', '2000', 'Australia/Sydney', -33.8688, 151.2093),
  city('Melbourne', 'AU', 'VIC', '3000', 'Australia/Melbourne', -37.8136, 144.9631),
  city('São Paulo', 'BR', 'SP', '01001-000', 'America/Sao_Paulo', -23.5505, -46.6333),
];

/** Time zones with a town in the table. */
export const ZONES: readonly string[] = [...new Set(CITIES.map(({ zone }) => zone))];
