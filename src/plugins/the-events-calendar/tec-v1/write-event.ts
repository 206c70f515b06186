import { withParams } from '../../../wordpress/rest/params.js';
import { cleanMetaText } from '../../../wordpress/formatting/sanitize.js';
import { withMeta, type Post } from '../../../wordpress/model.js';
import { existingIds } from '../../../wordpress/posts/posts.js';
import { abbreviation, conversionZone, wallAt } from '../../../wordpress/timezones.js';
import { storeCost } from '../model/cost.js';
import { EVENT_FIELDS as STORED, EVENT_ORIGIN, LINKED, LINKED_KINDS, type LinkedKind, writeFlag } from '../model/event.js';
import { writeLinks } from '../model/linked.js';
import { writeCost, timezoneOf, writeDates } from '../model/event-dates.js';
import { EVENT_PARAMS } from './fields.js';
import { typesIn } from './present.js';
import * as writes from './write.js';

/** TEC: the `menu_order` of sticky events. */
const TOP = -1;

/** TEC: only the amount is stored, including `0` (free), and the currency stays. */
function costRows(call: writes.EventCall): writes.MetaChange {
  const { cost } = call.params;
  if (cost === undefined) return writes.unchanged;
  if (!writes.writesLoosely(call)) return (meta) => writeCost(meta, storeCost(cost));
  const stored = cleanMetaText(cost);
  return (meta) => withMeta(meta, STORED.cost.key, stored === '' ? [] : [stored]);
}

function flagRow({ params }: writes.EventCall, name: 'all_day' | 'featured'): writes.MetaChange {
  const { [name]: sent } = params;
  return sent === undefined ? writes.unchanged : (meta) => writeFlag(meta, STORED[name], sent);
}

/** TEC: every write turns the map on. */
const mapRows = (call: writes.EventCall): writes.MetaChange =>
  writes.writesLoosely(call) ? (meta) => writeFlag(writeFlag(meta, STORED.show_map, true), STORED.show_map_link, true) : writes.unchanged;

/**
 * Links to existing posts; other ids are ignored. TEC: if none is left, links stay, but an empty list of organizers removes them; an event
 * gets one venue.
 */
async function linkRows(call: writes.EventCall, kind: LinkedKind): Promise<writes.MetaChange> {
  const { column, type, many } = LINKED[kind];
  const { [column]: sent } = call.params;
  if (sent === undefined) return writes.unchanged;
  const known = await existingIds(call.site.store, type, sent);
  const found = sent.filter((id) => known.has(id));
  if (!writes.writesLoosely(call)) return (meta) => writeLinks(meta, kind, found);
  if (found.length === 0 && !(many && sent.length === 0)) return writes.unchanged;
  return (meta) => writeLinks(meta, kind, many ? found : found.slice(0, 1));
}

async function allLinks(call: writes.EventCall): Promise<writes.MetaChange> {
  const changes: writes.MetaChange[] = [];
  for (const kind of LINKED_KINDS) changes.push(await linkRows(call, kind));
  return writes.composeChanges(changes);
}

/** The rows of the dates; null if they cannot be stored. */
function dateRows(call: writes.EventCall, current: Post | null): writes.MetaChange | null {
  if (current?.occurrence && !writes.sendsDates(call)) return writes.unchanged;
  const found = writes.datesOf(call, current);
  if (!found) return null;
  const { dates, duration } = found;
  return (meta) => {
    const written = dates ? writeDates(meta, dates, true) : meta;
    return duration === undefined ? written : withMeta(written, STORED.duration.key, [String(duration)]);
  };
}

/** TEC: every change sets the abbreviation of the zone to today's. */
const abbreviationRow =
  (call: writes.EventCall, current: Post | null): writes.MetaChange =>
  (meta) => {
    if (!current || !writes.writesLoosely(call)) return meta;
    const { site } = call;
    const timezone = timezoneOf({ meta }, site.options.timezone);
    return withMeta(meta, STORED.timezone_abbr.key, [
      abbreviation(site.zones, timezone, wallAt(site.clock.seconds(), conversionZone(site.zones, timezone))),
    ]);
  };

/** TEC: a change without `sticky` clears it. */
function menuOrderOf(call: writes.EventCall, current: Post | null): number | undefined {
  const { sticky } = call.params;
  if (sticky !== undefined) return sticky ? TOP : 0;
  return current?.menuOrder === TOP && writes.writesLoosely(call) ? 0 : undefined;
}

/** The changes to the fields of an event; null if its dates cannot be stored. */
async function ownOf(call: writes.EventCall, current: Post | null): Promise<writes.KindChanges | null> {
  const dates = dateRows(call, current);
  if (dates === null) return null;
  const menuOrder = menuOrderOf(call, current);
  return {
    change: writes.composeChanges([
      writes.originChange(EVENT_ORIGIN, current),
      dates,
      abbreviationRow(call, current),
      flagRow(call, 'all_day'),
      flagRow(call, 'featured'),
      costRows(call),
      mapRows(call),
      await allLinks(call),
    ]),
    ...(menuOrder === undefined ? {} : { menuOrder }),
  };
}

export const EVENT_WRITER: writes.Writer = {
  create: withParams(EVENT_PARAMS, (call) => writes.newEntity(call, typesIn(call.site.registry).event, () => ownOf(call, null))),
  change: (context, post) =>
    withParams(EVENT_PARAMS, (call) => writes.changedEntity(call, typesIn(call.site.registry).event, () => ownOf(call, post), post))(
      context,
    ),
};
