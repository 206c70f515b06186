import { replayPacked } from './packed.js';

/* Pages as programs read them: the elements that scrapers name, in the order of the page. */
replayPacked('cases-pages.json.br');
