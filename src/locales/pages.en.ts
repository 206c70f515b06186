/**
 * The words of the pages. `{name}` stands for a value; names of days and months are no part of this, they come from `Intl`.
 * Texts with a number come in two: `…One` and `…Many`.
 */
export const pagesEn = {
  // What there is.
  events: 'Events',
  venue: 'Venue',
  organizer: 'Organizer',
  organizers: 'Organizers',
  categories: 'Categories',
  tags: 'Tags',
  upcomingEvents: 'Upcoming events',
  pastEvents: 'Past events',
  eventsAt: 'Events at {name}',
  eventsBy: 'Events by {name}',
  eventsIn: 'Events in {name}',
  eventsTagged: 'Events tagged {name}',

  // Getting about.
  skipToContent: 'Skip to content',
  mainMenu: 'Main menu',
  pages: 'Pages',
  pageOf: 'Page {page} of {pages}',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  previousEvent: 'Previous event',
  nextEvent: 'Next event',
  allEvents: 'All events',
  views: 'Views',
  list: 'List',
  month: 'Month',
  day: 'Day',
  today: 'Today',
  moreEvents: '{count} more',

  // Searching.
  search: 'Search',
  searchEvents: 'Search events',
  resultsFor: 'Results for “{words}”',
  clearSearch: 'Clear the search',
  eventsFoundOne: '{count} event',
  eventsFoundMany: '{count} events',
  noEvents: 'No events were found.',
  noUpcomingEvents: 'There are no upcoming events.',

  // An event.
  when: 'When',
  where: 'Where',
  details: 'Details',
  timeZone: 'Time zone',
  allDay: 'All day',
  cost: 'Cost',
  free: 'Free',
  featured: 'Featured',
  pastEvent: 'This event has passed.',
  website: 'Website',
  addToCalendar: 'Add to calendar',
  downloadIcs: 'Download as .ics file',
  subscribe: 'Subscribe to this calendar',
  rssFeed: 'RSS feed',
  feedTitle: '{events}: {dates}',

  // A venue or an organizer.
  address: 'Address',
  showMap: 'Show map',
  mapOf: 'Map of {name}',

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
  logIn: 'Log in',
  logOut: 'Log out',

  // The state of an event.
  cancelled: 'Cancelled',
  postponed: 'Postponed',

  // Signing in.
  logInName: 'Username or Email Address',
  rememberMe: 'Remember Me',
  loggedOut: 'You are now logged out.',
  error: 'Error:',
  usernameEmpty: 'The username field is empty.',
  passwordEmpty: 'The password field is empty.',
  wrongUsername: 'This username and password do not go together.',
  wrongEmail: 'This email address and password do not go together.',
  cookiesBlocked: 'Cookies are blocked or not supported by your browser.',
  foreignForm: 'This form came from another site.',
  tooManyAttempts: 'Too many failed attempts. Try again in {seconds} seconds.',
  askLogOut: 'You are attempting to log out of {name}.',
  administration: 'Administration',
  signedInAs: 'You are signed in as {name} ({login}, {role}).',
  noAdministration: 'This server has no administration pages. Content is changed through the REST API.',
  makePassword: 'Make an application password',
  back: 'Back',

  // Passwords of applications.
  authorizeApplication: 'Authorize Application',
  cannotAuthorize: 'Cannot authorize application',
  notAllowed: 'The Authorize Application request is not allowed.',
  invalidUrl: 'Invalid URL format.',
  forbiddenScheme: 'The URL must not be of this scheme.',
  insecureUrl: 'The URL must be served over a secure connection.',
  appIdNotUuid: 'The application ID must be a UUID.',
  passwordByHand: 'You will be given a password to enter in the application by hand.',
  passwordSentTo: 'The new password will be sent to {host} ({url}).',
  wouldConnect: '{app} would like to connect to {site} as {name} ({login}, {role}). It will be able to do everything that you can do here.',
  theApplication: 'The application {name}',
  anApplication: 'An application',
  newPasswordName: 'New Application Password Name',
  approve: 'Yes, I approve of this connection',
  reject: 'No, I do not approve of this connection',
  newPasswordIs: 'Your new password for {name} is:',
  savePassword: 'Be sure to save this in a safe location. You will not be able to retrieve it.',
  nameRequired: 'An application name is required to create an application password.',
  nameTaken: 'Each application name should be unique.',
  linkExpired: 'The link you followed has expired. Go back to the application and start again.',
} as const satisfies Record<string, string>;

/** Words of the pages in any language, by the names of the English ones. */
export type PageTexts = Readonly<Record<keyof typeof pagesEn, string>>;
