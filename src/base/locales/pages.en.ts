/**
 * The texts of the pages. `{name}` is a placeholder. Names of days and months come from `Intl`.
 * Texts with a number have two forms: `…One` and `…Many`.
 */
export const pagesEn = {
  // Content.
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

  // Navigation.
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

  // Search.
  search: 'Search',
  searchEvents: 'Search events',
  resultsFor: 'Results for “{words}”',
  category: 'Category',
  allCategories: 'All categories',
  date: 'Date',
  clearFilters: 'Clear filters',
  eventsFoundOne: '{count} event',
  eventsFoundMany: '{count} events',
  noEvents: 'No events were found.',
  noUpcomingEvents: 'There are no upcoming events.',

  // Events.
  when: 'When',
  where: 'Where',
  details: 'Details',
  timeZone: 'Time zone',
  allDay: 'All day',
  cost: 'Cost',
  free: 'Free',
  featured: 'Featured',
  past: 'Past',
  pastEvent: 'This event has passed.',
  website: 'Website',
  addToCalendar: 'Add to calendar',
  downloadIcs: 'Download as .ics file',
  subscribe: 'Subscribe to this calendar',
  rssFeed: 'RSS feed',
  feedTitle: '{events}: {dates}',

  // Venues and organizers.
  address: 'Address',
  showMap: 'Show map',
  mapOf: 'Map of {name}',

  // Protected and missing content.
  passwordProtected: 'This content is password protected.',
  password: 'Password',
  enterPassword: 'To view it, enter the password.',
  submit: 'Enter',
  wrongPassword: 'Incorrect password.',
  notFound: 'Page not found',
  notFoundText: 'There is no page at this address.',
  noPreview: 'No preview',
  noPreviewText: 'This link was made for another session, or too long ago. Sign in, and open the preview from the editor.',
  goHome: 'Go to the home page',

  // Comments.
  comments: 'Comments',
  commentOne: '1 comment',
  commentMany: '{count} comments',
  commentsClosed: 'Comments are closed.',
  anonymous: 'Anonymous',
  commentsFor: 'Comments for {site}',
  commentsOn: 'Comments on: {title}',
  commentOnBy: 'Comment on {title} by {author}',
  commentBy: 'By: {author}',
  commentsProtected: 'Protected comments: to view them, enter the password.',

  // Header and footer.
  logIn: 'Log in',
  logOut: 'Log out',

  // Event status.
  cancelled: 'Cancelled',
  postponed: 'Postponed',

  // Sign-in.
  logInName: 'Username or Email Address',
  rememberMe: 'Remember Me',
  loggedOut: 'You are now logged out.',
  error: 'Error:',
  usernameEmpty: 'The username field is empty.',
  passwordEmpty: 'The password field is empty.',
  wrongUsername: 'Incorrect username or password.',
  wrongEmail: 'Incorrect email address or password.',
  cookiesBlocked: 'Cookies are blocked or not supported by your browser.',
  foreignForm: 'This form was sent from another site.',
  tooManyAttempts: 'Too many failed attempts. Try again in {time}.',
  askLogOut: 'You are attempting to log out of {name}.',
  administration: 'Administration',
  signedInAs: 'You are signed in as {name} ({login}, {role}).',
  noAdministration: 'This server has no administration pages. Use the REST API to change content.',
  makePassword: 'Create an application password',
  back: 'Back',

  // Application passwords.
  authorizeApplication: 'Authorize Application',
  cannotAuthorize: 'Cannot authorize application',
  notAllowed: 'The Authorize Application request is not allowed.',
  invalidUrl: 'Invalid URL format.',
  forbiddenScheme: 'This URL scheme is not allowed.',
  insecureUrl: 'The URL must be served over a secure connection.',
  appIdNotUuid: 'The application ID must be a UUID.',
  passwordByHand: 'You will get a password to enter in the application manually.',
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

/** The texts of the pages in a language. */
export type PageTexts = Readonly<Record<keyof typeof pagesEn, string>>;
