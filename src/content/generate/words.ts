/** A kind of event: titles, times and descriptions. */
export interface EventKind {
  /** Slugs of its categories. */
  categories: readonly string[];
  /** Patterns of titles; `%a` is an adjective, `%p` a person, `%t` a theme, `%c` the city. */
  titles: readonly string[];
  /** Titles of events that last whole days. Without them, events of this kind never do. */
  wholeDays?: readonly string[];
  themes: readonly string[];
  /** Sentences for the description. */
  sentences: readonly string[];
  /** Possible start hours. */
  hours: readonly number[];
  /** Possible durations, in minutes. */
  minutes: readonly number[];
  /** Price level relative to a typical ticket. */
  price: number;
  tags: readonly string[];
}

export const CATEGORY_WORDS: readonly { slug: string; name: string; parent?: string; description: string }[] = [
  { slug: 'music', name: 'Music', description: 'Concerts, sessions and choirs' },
  { slug: 'jazz', name: 'Jazz &amp; Blues', parent: 'music', description: '' },
  { slug: 'classical', name: 'Classical', parent: 'music', description: 'From baroque to the present' },
  { slug: 'stage', name: 'Stage', description: 'Theatre, comedy and dance' },
  { slug: 'comedy', name: 'Comedy', parent: 'stage', description: '' },
  { slug: 'arts', name: 'Arts', description: 'Exhibitions and open studios' },
  { slug: 'workshops', name: 'Workshops', parent: 'arts', description: 'Made by hand' },
  { slug: 'food', name: 'Food &amp; Drink', description: 'Tastings, markets and dinners' },
  { slug: 'markets', name: 'Markets', parent: 'food', description: '' },
  { slug: 'community', name: 'Community', description: 'Neighbours and volunteers' },
  { slug: 'families', name: 'Children &amp; Families', description: 'For all ages' },
  { slug: 'outdoors', name: 'Outdoors', description: 'Walks, rides and runs' },
  { slug: 'talks', name: 'Talks', description: 'Lectures and readings' },
  { slug: 'technology', name: 'Technology', parent: 'talks', description: '' },
];

export const TAG_WORDS: readonly { slug: string; name: string }[] = [
  { slug: 'free-entry', name: 'Free entry' },
  { slug: 'open-air', name: 'Open air' },
  { slug: 'step-free', name: 'Step-free' },
  { slug: 'booking-needed', name: 'Booking needed' },
  { slug: 'for-beginners', name: 'For beginners' },
  { slug: 'live', name: 'Live' },
  { slug: 'family-friendly', name: 'Family friendly' },
  { slug: 'weekend', name: 'Weekend' },
  { slug: 'local-makers', name: 'Local makers' },
  { slug: 'vegetarian', name: 'Vegetarian' },
  { slug: 'sign-language', name: 'Sign language' },
  { slug: 'two-languages', name: 'Zweisprachig' },
  { slug: '%e9%9f%b3%e6%a5%bd', name: '音楽' },
];

export const ADJECTIVES: readonly string[] = [
  'Late',
  'Little',
  'Grand',
  'Quiet',
  'Golden',
  'Electric',
  'Wandering',
  'Midnight',
  'Paper',
  'Velvet',
  'Northern',
  'Borrowed',
  'Bright',
  'Slow',
  'Crooked',
  'Open',
];

export const PEOPLE: readonly string[] = [
  'Ana Müller',
  'Jules Lefèvre',
  'Mira Sørensen',
  'Tom Okafor',
  'Priya Nair',
  'Léa Fontaine',
  'Jonas Weiß',
  'Grace O’Neill',
  'Hana Sato',
  'Luís Araújo',
  'Ella Whitcombe',
  'Marek Žák',
  'Aiko Tanaka',
  'Samuel Reyes',
  'Ingrid Ås',
  'Noor Haddad',
  '山田 花子',
  'Zoë Abbott',
];

export const ORGANIZER_WORDS: readonly string[] = [
  '%c Music Guild',
  'Friends of %c',
  'Kulturverein Brücke',
  'Association des Voisins',
  'The Lantern Society',
  'Makers of %c',
  'History Club %c',
  'Smith & Daughters Events',
  'Verein „Grüne Stadt“',
  'Les Amis du Théâtre',
  '月曜会',
  'Night Owls Collective',
];

/** Closing sentences of descriptions. */
export const ENDINGS: readonly string[] = [
  'Doors open half an hour earlier.',
  'Seats are limited, so come early.',
  'The entrance has no steps.',
  'Bring a friend & a bit of time.',
  'There is tea, coffee and cake in the break.',
  'Children under twelve come in free.',
  'It takes place in any weather.',
  'Der Eintritt gilt für den ganzen Abend.',
  'L’entrée est possible jusqu’à la dernière minute.',
  'Questions? Ask at the desk – we’re happy to help.',
];

export const KINDS: readonly EventKind[] = [
  {
    categories: ['music', 'jazz'],
    titles: ['%p Quartet', '%a Jazz Night', 'Blues with %p', 'Jazz at the Corner: %t'],
    themes: ['Songs of the River', 'Blue Hours', 'A Tribute to Swing', 'New Standards'],
    sentences: [
      'A band that knows each other for twenty years plays what comes to mind.',
      'Two sets with a break between them.',
      'Standards, ballads and a few surprises.',
      'The second set is open to guests – bring your instrument.',
    ],
    hours: [19, 20, 21],
    minutes: [120, 150, 180],
    price: 1,
    tags: ['live', 'step-free', '%e9%9f%b3%e6%a5%bd'],
  },
  {
    categories: ['music', 'classical'],
    titles: ['%t for Strings', 'Chamber Music: %t', 'Choir Concert “%t”', 'Klavierabend mit %p'],
    themes: ['Winter Journeys', 'Letters Home', 'Die Jahreszeiten', 'Four Seasons', 'Nocturnes'],
    sentences: [
      'Music from three centuries by candlelight.',
      'The programme takes about ninety minutes without a break.',
      'An introduction to the works begins an hour before.',
      'With young players of the music school.',
    ],
    hours: [17, 19, 20],
    minutes: [90, 120],
    price: 1.5,
    tags: ['live', 'booking-needed', 'two-languages'],
  },
  {
    categories: ['music'],
    titles: ['%a Sessions', 'Open Mic with %p', '%a Lights – live', 'Songs & Stories: %t'],
    themes: ['Harbour Tales', 'Roads', 'Kitchen Songs', 'Neon'],
    sentences: [
      'Five acts, one stage and a good sound system.',
      'Sign up at the bar to play.',
      'Loud enough to dance & quiet enough to talk.',
      'From folk to indie, always live.',
    ],
    hours: [18, 19, 20, 22],
    minutes: [120, 180, 240],
    price: 0.8,
    tags: ['live', 'weekend'],
  },
  {
    categories: ['stage', 'comedy'],
    titles: ['%a Comedy Club', '%p: %t', 'Improv Theatre “%t”'],
    themes: ['What My Mother Said', 'Nothing Rehearsed', 'Small Print', 'Alles Käse'],
    sentences: [
      'An evening that nobody has rehearsed, least of all the players.',
      'New material from the road.',
      'Suggestions from the audience decide how it goes on.',
      'Not for the easily offended.',
    ],
    hours: [19, 20],
    minutes: [75, 90, 120],
    price: 0.9,
    tags: ['booking-needed', 'weekend'],
  },
  {
    categories: ['arts'],
    titles: ['Exhibition: %t', '%p – %t', 'Open Studios %c', 'Vernissage „%t“'],
    wholeDays: ['Exhibition: %t', '%p – %t', 'Open Studios %c'],
    themes: ['Paper Boats', 'Light & Shadow', 'Lignes', 'Everyday Maps', '余白'],
    sentences: [
      'Paintings, prints and drawings from the last five years.',
      'The artist is there on the first day.',
      'A guided tour takes place every hour.',
      'Photographs of a town that is no longer there.',
    ],
    hours: [10, 11, 14, 18],
    minutes: [240, 360, 480],
    price: 0.4,
    tags: ['step-free', 'local-makers'],
  },
  {
    categories: ['arts', 'workshops'],
    titles: ['%t for Beginners', 'Workshop: %t', '%t with %p'],
    wholeDays: ['Summer School: %t', '%t Days'],
    themes: ['Pottery', 'Linocut', 'Bookbinding', 'Bike Repair', 'Screen Printing', 'Calligraphy', 'Sourdough'],
    sentences: [
      'You take home what you make.',
      'All materials are there; wear something that may get dirty.',
      'No experience needed, only curiosity.',
      'Groups are small: eight people at most.',
    ],
    hours: [10, 13, 18],
    minutes: [120, 180, 240],
    price: 2,
    tags: ['for-beginners', 'booking-needed', 'local-makers'],
  },
  {
    categories: ['food', 'markets'],
    titles: ['%c Farmers’ Market', '%a Flea Market', 'Street Food at %t', 'Weihnachtsmarkt %c'],
    wholeDays: ['%a Flea Market', 'Street Food at %t', 'Weihnachtsmarkt %c'],
    themes: ['the Harbour', 'the Old Station', 'the Square'],
    sentences: [
      'Forty stalls with bread, cheese, fruit and flowers.',
      'Bring a bag & some change.',
      'Growers from the region sell what is in season.',
      'Music from noon.',
    ],
    hours: [8, 9, 10],
    minutes: [240, 360],
    price: 0,
    tags: ['free-entry', 'open-air', 'family-friendly', 'local-makers'],
  },
  {
    categories: ['food'],
    titles: ['%a Supper Club', 'Wine Tasting: %t', 'Cooking with %p'],
    themes: ['The Loire', 'Natural Wines', 'Riesling', 'Orange & Red'],
    sentences: [
      'Four courses at one long table.',
      'Tell us about allergies when you book.',
      'Six glasses, bread, cheese and stories.',
      'There is always a vegetarian menu.',
    ],
    hours: [18, 19],
    minutes: [150, 180],
    price: 2.5,
    tags: ['booking-needed', 'vegetarian'],
  },
  {
    categories: ['community'],
    titles: ['Neighbourhood Breakfast', 'Repair Café %c', '%a Swap', 'Volunteers’ Evening', 'Sprachcafé: %t'],
    themes: ['Deutsch', 'Français', 'English', 'Español'],
    sentences: [
      'Everybody is welcome.',
      'Bring something broken and leave with something that works.',
      'Whoever comes decides what we talk about.',
      'We meet every month; newcomers sit wherever they like.',
    ],
    hours: [9, 10, 16, 18],
    minutes: [90, 120, 180],
    price: 0.2,
    tags: ['free-entry', 'family-friendly', 'two-languages'],
  },
  {
    categories: ['families'],
    titles: ['Puppet Theatre: %t', 'Story Time with %p', '%a Circus Day'],
    wholeDays: ['%a Circus Day', '%c Children’s Festival'],
    themes: ['The Lost Button', 'Der kleine Bär', 'Le Loup timide', 'Moon & Mouse'],
    sentences: [
      'For children from four years on and everybody who comes with them.',
      'Afterwards there is a table to paint and glue.',
      'The story is told with hands, shadows and a drum.',
      'It lasts as long as small children can sit.',
    ],
    hours: [10, 11, 15, 16],
    minutes: [45, 60, 90],
    price: 0.4,
    tags: ['family-friendly', 'weekend', 'sign-language'],
  },
  {
    categories: ['outdoors'],
    titles: ['%a Walk through %c', 'Sunrise Run', 'Bird Walk with %p', 'Bike Ride: %t'],
    themes: ['Five Bridges', 'To the Lake', 'Old Railway'],
    sentences: [
      'About eight kilometres at an easy pace.',
      'Sturdy shoes & something to drink are all you need.',
      'We start at the fountain and end at a café.',
      'Binoculars can be borrowed.',
    ],
    hours: [6, 8, 9, 14],
    minutes: [90, 120, 240],
    price: 0.3,
    tags: ['open-air', 'free-entry', 'weekend'],
  },
  {
    categories: ['talks', 'technology'],
    titles: ['%c Developers: %t', 'Talk: %t', 'Maker Night “%t”'],
    wholeDays: ['%c Maker Fair', 'Conference: %t'],
    themes: ['Maps without Servers', 'Small Data', 'Type Systems over Tea', 'Repairing the Web', 'Robots & Gardens'],
    sentences: [
      'Two talks of thirty minutes with time for questions.',
      'Pizza and drinks are paid for.',
      'Slides are online afterwards.',
      'Lightning talks: write your name on the board.',
    ],
    hours: [18, 19],
    minutes: [120, 150],
    price: 0.1,
    tags: ['free-entry', 'booking-needed'],
  },
  {
    categories: ['talks'],
    titles: ['%p reads from “%t”', 'Lesung: %t', 'History Hour: %t'],
    themes: ['The Ferry', 'Brücken', 'A House of Rivers', 'Der Garten', 'Lettres d’hiver', '雨の町'],
    sentences: [
      'A reading with a conversation afterwards.',
      'The bookshop has a table at the entrance.',
      'What the town looked like a hundred years ago, in sixty pictures.',
      'Moderated by the library.',
    ],
    hours: [17, 19, 20],
    minutes: [60, 90],
    price: 0.5,
    tags: ['two-languages', 'step-free', 'sign-language'],
  },
];

/** Kinds of events that can last whole days. */
export const WHOLE_DAY_KINDS = KINDS.filter(({ wholeDays }) => wholeDays !== undefined);

/** Slugs of other scripts are percent-encoded. */
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|^(?:%[0-9a-f]{2})+$/u;

const withoutJapanese = new Map<readonly string[], readonly string[]>();

/** The words for a country: those in Japanese only for Japan. */
export function wordsFor(country: string, words: readonly string[]): readonly string[] {
  if (country === 'JP') return words;
  const others = withoutJapanese.get(words) ?? words.filter((word) => !JAPANESE.test(word));
  withoutJapanese.set(words, others);
  return others;
}
