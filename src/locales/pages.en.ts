/**
 * The words of the pages. `{name}` stands for a value; names of days and months are no part of this, they come from `Intl`.
 * Texts with a number come in two: `…One` and `…Many`.
 */
export const pagesEn = {
  // What there is.
  events: 'Events',
  event: 'Event',
  venue: 'Venue',
  organizer: 'Organizer',
  organizers: 'Organizers',
  category: 'Category',
  categories: 'Categories',
  tag: 'Tag',
  tags: 'Tags',
  upcomingEvents: 'Upcoming events',
  pastEvents: 'Past events',
  eventsAt: 'Events at {name}',
  eventsBy: 'Events by {name}',
  eventsIn: 'Events in {name}',
  eventsTagged: 'Events tagged {name}',
  eventsOn: 'Events on {date}',
  eventsOf: 'Events in {month}',

  // Getting about.
  skipToContent: 'Skip to content',
  home: 'Home',
  mainMenu: 'Main menu',
  pages: 'Pages',
  pageOf: 'Page {page} of {pages}',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousEvent: 'Previous event',
  nextEvent: 'Next event',
  allEvents: 'All events',
  views: 'Views',
  list: 'List',
  month: 'Month',
  day: 'Day',
  today: 'Today',
  thisMonth: 'This month',
  moreEvents: '{count} more',
  readMore: 'More about {name}',

  // Searching.
  search: 'Search',
  searchEvents: 'Search events',
  searchFor: 'Words to search for',
  resultsFor: 'Results for “{words}”',
  clearSearch: 'Clear the search',
  eventsFoundOne: '{count} event',
  eventsFoundMany: '{count} events',
  noEvents: 'No events were found.',
  noUpcomingEvents: 'There are no upcoming events.',
  noEventsOn: 'No events on this day',

  // An event.
  when: 'When',
  where: 'Where',
  details: 'Details',
  date: 'Date',
  time: 'Time',
  timeZone: 'Time zone',
  start: 'Start',
  end: 'End',
  fromTo: '{from} to {to}',
  allDay: 'All day',
  cost: 'Cost',
  free: 'Free',
  featured: 'Featured',
  pastEvent: 'This event has passed.',
  website: 'Website',
  visitWebsite: 'Visit the website',
  addToCalendar: 'Add to calendar',
  downloadIcs: 'Download as .ics file',
  subscribe: 'Subscribe to this calendar',
  image: 'Image',
  imageOf: 'Image of {name}',
  openInNewTab: 'opens in a new tab',

  // A venue or an organizer.
  address: 'Address',
  phone: 'Phone',
  email: 'E-mail',
  showMap: 'Show map',
  mapOf: 'Map of {name}',
  about: 'About {name}',

  // What may not be seen.
  passwordProtected: 'This content is password protected.',
  password: 'Password',
  enterPassword: 'To view it, enter the password.',
  submit: 'Enter',
  wrongPassword: 'That password is not right.',
  notFound: 'Page not found',
  notFoundText: 'There is no page at this address.',
  goHome: 'Go to the front page',

  // Around the page.
  language: 'Language',
  logIn: 'Log in',
  logOut: 'Log out',
  apiDocumentation: 'API documentation',
} as const satisfies Record<string, string>;

/** Words of the pages in any language, by the names of the English ones. */
export type PageTexts = Readonly<Record<keyof typeof pagesEn, string>>;
