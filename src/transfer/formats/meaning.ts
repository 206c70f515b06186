import { suggest } from '../../base/text/suggest.js';

/** Normalizes the spelling of a name: `endDate`, `end_date` and `End date` are the same. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The names of fields in other calendars and APIs. */
const FIELDS: Readonly<Record<string, string>> = {
  title: 'name summary subject headline eventtitle eventname',
  name: 'title venue organizer venuename organizername displayname',
  start: 'startdate starttime starts startsat begin begins from date datetime dtstart when eventstartdate',
  end: 'enddate endtime ends endsat until to finish dtend eventenddate',
  description: 'content body text details about',
  venue: 'location place where venues venueid venuename site',
  organizers: 'organizer organiser organisers host hosts by organizerid',
  categories: 'category eventcategory eventcategories type types topics',
  tags: 'tag keywords labels',
  cost: 'price prices fee fees admission eventcost ticketprice',
  image: 'picture photo thumbnail featuredimage poster cover imageurl',
  website: 'url link href homepage eventurl web',
  all_day: 'allday wholeday fullday',
  timezone: 'tz zone timezonename',
  address: 'street streetaddress address1',
  city: 'town addresslocality',
  state: 'region addressregion',
  zip: 'postcode postalcode zipcode',
  lat: 'latitude geolat',
  lng: 'longitude lon long geolng',
  login: 'username user userlogin nickname',
  email: 'mail emailaddress',
  application_password: 'apppassword token',
  repeat: 'repeats repeated repetition recurrence recurrences recurring rrule rdate schedule frequency series',
  slug: 'handle postname permalink',
  status: 'state poststatus visibility',
};

/** The field names for a name in the table, the likeliest first. */
const MEANT = new Map<string, string[]>();
for (const [field, others] of Object.entries(FIELDS))
  for (const other of others.split(' ')) MEANT.set(other, [...(MEANT.get(other) ?? []), field]);

/** The field that was most likely meant by an unknown one. @param known the existing fields */
export const fieldMeant = (name: string, known: readonly string[]): string | undefined => {
  const key = plain(name);
  return known.find((field) => plain(field) === key) ?? MEANT.get(key)?.find((field) => known.includes(field)) ?? suggest(name, known);
};

/** The suggestion for an unknown field, to append to the message. */
export function fieldHint(name: string, known: readonly string[]): string {
  const meant = fieldMeant(name, known);
  return meant === undefined ? '' : `. Did you mean ${JSON.stringify(meant)}?`;
}

/** Cities without a time zone of the same name, and other names of cities. */
const CITIES: Readonly<Record<string, string>> = {
  'Europe/Vienna': 'wien graz linz salzburg vienne viena',
  'Europe/Berlin': 'munchen munich hamburg koln cologne frankfurt stuttgart leipzig dresden bonn deutschland germany',
  'Europe/Zurich': 'zuerich zurich genf geneve geneva basel bern schweiz switzerland',
  'Europe/Rome': 'roma rom milano milan mailand napoli firenze torino italia italy',
  'Europe/Paris': 'lyon marseille france',
  'Europe/London': 'manchester birmingham edinburgh glasgow uk gb england',
  'Europe/Prague': 'praha prag',
  'Europe/Lisbon': 'lisboa lissabon porto',
  'Europe/Madrid': 'barcelona sevilla valencia espana spain',
  'Europe/Warsaw': 'warszawa warschau krakow',
  'Europe/Copenhagen': 'kobenhavn kopenhagen',
  'Europe/Brussels': 'bruxelles brussel brussels antwerpen',
  'Europe/Amsterdam': 'rotterdam utrecht',
  'Europe/Athens': 'athen athina athenes',
  'Europe/Bucharest': 'bucuresti bukarest',
  'Europe/Belgrade': 'beograd belgrad',
  'Europe/Moscow': 'moskva moskau moscou',
  'Europe/Kiev': 'kyiv kiew',
  'Asia/Tokyo': 'tokio osaka kyoto japan',
  'Asia/Shanghai': 'beijing peking',
  'Asia/Kolkata': 'mumbai bombay delhi bangalore india',
  'America/New_York': 'boston washington miami atlanta philadelphia est edt eastern',
  'America/Chicago': 'dallas houston austin cst cdt central',
  'America/Denver': 'saltlakecity mst mdt mountain',
  'America/Los_Angeles': 'sanfrancisco seattle portland sandiego pst pdt pacific',
  'America/Toronto': 'montreal ottawa',
  'America/Sao_Paulo': 'rio riodejaneiro brasilia',
  'America/Mexico_City': 'mexico ciudaddemexico',
  'Australia/Sydney': 'canberra',
};

const ZONE_OF_CITY = new Map(Object.entries(CITIES).flatMap(([zone, cities]) => cities.split(' ').map((city) => [city, zone] as const)));

/** The time zone that was most likely meant by a name or a city. @param zones the existing names */
export function zoneMeant(name: string, zones: readonly string[]): string | undefined {
  const city = plain(name.split('/').at(-1) ?? '');
  const sameCity = zones.find((zone) => plain(zone.split('/').at(-1) ?? '') === city);
  return ZONE_OF_CITY.get(city) ?? sameCity ?? suggest(name, zones);
}
