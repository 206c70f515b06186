#!/usr/bin/env bash
# FullCalendar 7.1.0: an event in the hour that the clocks skip has two starts, an hour apart.
#
# Run: bash findings/fullcalendar-7-skipped-hour.sh (about 40 MB from the npm registry)
#
# FullCalendar 7 knows named time zones by itself; version 6 needed a plugin for them. On March 29, 2026, Berlin has no times from 02:00 to
# 03:00. An event from 02:30 to 03:30 is accepted. Its `startStr` is the time as written, with the offset that applies after the change; its
# `start` is an hour later, the instant at which the event ends. A page that shows `startStr` shows an event of an hour, and a page that
# computes with `start` and `end` has an event of no length. On other days the two are the same instant.
#
# Seen with Node.js 20.20.2 and jsdom 26.1.0:
#   skipped 2026-03-29T02:30:00+02:00 is 00:30Z, start is 01:30Z, end is 01:30Z
#   ordinary 2026-03-30T02:30:00+02:00 is 00:30Z, start is 00:30Z, end is 01:30Z
# For users of Understudy: calendars store local times, so events of the plugin may lie in such an hour; take `utc_start_date` of the API.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund fullcalendar@7.1.0 @fullcalendar/core@7.1.0 temporal-polyfill@1.0.8 jsdom@26.1.0 >/dev/null 2>&1

cat >ask.mjs <<'JS'
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('<main></main>', { pretendToBeVisual: true });
const { document, HTMLElement, Element, Node, getComputedStyle, MutationObserver } = window;
Object.assign(globalThis, { window, document, HTMLElement, Element, Node, getComputedStyle, MutationObserver });
const { Calendar } = await import('fullcalendar');
const { default: dayGrid } = await import('fullcalendar/daygrid');
const day = (id, date) => ({ id, start: `${date}T02:30:00`, end: `${date}T03:30:00` });
const calendar = new Calendar(document.querySelector('main'), {
  plugins: [dayGrid],
  timeZone: 'Europe/Berlin',
  events: [day('skipped', '2026-03-29'), day('ordinary', '2026-03-30')],
});
const utc = (date) => date.toISOString().slice(11, 16) + 'Z';
for (const { id, startStr, start, end } of calendar.getEvents())
  console.log(`${id} ${startStr} is ${utc(new Date(startStr))}, start is ${utc(start)}, end is ${utc(end)}`);
process.exit(0);
JS

seen=$(node ask.mjs)
echo "$seen"
[ "$seen" = 'skipped 2026-03-29T02:30:00+02:00 is 00:30Z, start is 01:30Z, end is 01:30Z
ordinary 2026-03-30T02:30:00+02:00 is 00:30Z, start is 00:30Z, end is 01:30Z' ] || { echo 'This has changed.' >&2; exit 1; }
