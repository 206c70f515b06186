import { createServer } from 'wp-understudy';
import { startSite } from './site.js';

/** Starts one calendar and one site for all test files. */
export default async function setup() {
  const adminPassword = 'only for these tests';
  const calendar = await createServer({ adminPassword });
  const site = await startSite(calendar.url);
  Object.assign(process.env, { CALENDAR_URL: calendar.url, SITE_URL: site.url, UNDERSTUDY_ADMIN_PASSWORD: adminPassword });
  return async () => {
    await site.stop();
    await calendar.close();
  };
}
