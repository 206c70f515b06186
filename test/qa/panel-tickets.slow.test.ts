import { startTestServer } from '../support/server.js';
import { TICKETS_WORLD } from '../support/tickets.js';
import { openPage, type PanelPage } from './panel-page.mjs';

/** The control page of a site with Event Tickets. */

const server = startTestServer({ dataset: TICKETS_WORLD, plugins: ['event-tickets'], profile: 'standard' });

let page: PanelPage;
beforeAll(async () => {
  page = await openPage(`${server().url}/__qa/ui`, []);
});
afterAll(() => page.end());

async function search(title: string): Promise<void> {
  await page.click('#event-edit');
  await page.type('#event-search', title);
}
async function open(title: string): Promise<void> {
  await search(title);
  await page.click('#event-list button');
}
const close = () => page.click('[aria-label="Close"]');

test('the list says which events have tickets; a ticket is sold, and its attendee checked in', async () => {
  await search('Ten Dollar Show');
  expect(page.text('#event-list')).toMatch(/ · tickets$/);
  await page.click('#event-list button');
  const ticket = '[data-ticket="301"]';
  expect(page.text(`${ticket} h3`)).toBe('Standard $25.50 · 1 sold, 9 left');
  await page.click(`${ticket} .head button`);
  expect(page.text(`${ticket} h3`)).toBe('Standard $25.50 · 2 sold, 8 left');
  const guest = `${ticket} li:last-child`;
  expect(page.text(guest)).toMatch(/^Guest 2 ?Check in$/);
  await page.click(`${guest} button`);
  expect(page.text(guest)).toMatch(/^Guest 2 ?checked in ?Undo check-in$/);
  await page.click(`${guest} button`);
  expect(page.text(guest)).toMatch(/^Guest 2 ?Check in$/);
  expect(await page.violations()).toEqual([]);
  await close();
});

test('who does not come is not checked in, and a ticket that is sold out is not sold', async () => {
  await open('Open Mic Night');
  expect(page.text('[data-ticket="303"] h3')).toMatch(/RSVP · 2 coming, 18 left$/);
  expect([page.count('[data-attendee="313"] button'), page.count('[data-attendee="315"] button')]).toEqual([1, 0]);
  expect(page.text('[data-attendee="315"]')).toMatch(/^Cleo Cannot ?not coming$/);
  expect(page.count('[data-ticket="303"] .head button:disabled')).toBe(0);
  await close();
  await open('Featured Talk');
  expect(page.text('[data-ticket="310"] h3')).toMatch(/ 0 left$/);
  expect(page.count('[data-ticket="310"] .head button:disabled')).toBe(1);
  await close();
});
