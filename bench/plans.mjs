import { Collection } from 'mongodb';

/** The explain output of a pipeline, summarized. */

const asList = (value) => (value === undefined ? [] : [value].flat());

/** Every stage of an execution tree, the outermost first. */
function stages(node) {
  if (!node) return [];
  const inner = [...asList(node.inputStage), ...asList(node.inputStages), ...asList(node.queryPlan)];
  return [node, ...inner.flatMap(stages)];
}

/** The classic tree of an explained aggregation: at the top, or inside its first stage. */
function explainedQuery(explained) {
  const cursor = explained.stages?.[0]?.$cursor ?? explained;
  return { winning: cursor.queryPlanner?.winningPlan, stats: cursor.executionStats };
}

/**
 * @returns {Promise<{ index: string, keys: number, docs: number, rows: number, blocking: boolean, merged: boolean, collscan: boolean }>}
 *   what was examined, and what the first (database) part of the pipeline handed out
 */
export async function explainPipeline(collection, pipeline) {
  const explained = await collection.aggregate(pipeline).explain('executionStats');
  const { winning, stats } = explainedQuery(explained);
  const all = stages(winning);
  const sortsLater = (explained.stages ?? []).some((stage) => '$sort' in stage);
  return { ...summary(all, stats), blocking: all.some(({ stage }) => stage === 'SORT') || sortsLater };
}

function summary(all, stats) {
  const names = all.map(({ stage }) => stage);
  return {
    index: [...new Set(all.map(({ indexName }) => indexName).filter(Boolean))].join(' + ') || '-',
    keys: stats?.totalKeysExamined ?? 0,
    docs: stats?.totalDocsExamined ?? 0,
    rows: stats?.nReturned ?? 0,
    merged: names.includes('SORT_MERGE'),
    collscan: names.includes('COLLSCAN'),
  };
}

/** Whether to include a recorded pipeline. */
export const isCount = ({ pipeline }) => pipeline.some((stage) => '$count' in stage || '$group' in stage);

/** Replaces methods of an object during work. */
async function during(target, replacements, work) {
  const originals = Object.keys(replacements).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)]);
  for (const [name, replacement] of Object.entries(replacements)) {
    const original = target[name];
    target[name] = function (...args) {
      replacement(this, args);
      return original.apply(this, args);
    };
  }
  try {
    await work();
  } finally {
    for (const [name, descriptor] of originals) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else delete target[name];
    }
  }
}

/** Records the pipelines of a request. */
export async function recordPipelines(store, request) {
  const recorded = [];
  await during(store, { aggregate: (_, [collection, pipeline]) => recorded.push({ collection, pipeline }) }, request);
  return recorded;
}

/** Records the other reads of a request as database commands: look-ups of names and ids, and related items of a page. */
export async function recordLookups(request) {
  const recorded = [];
  const note = ({ collectionName }, command) => {
    // The caller is looked up among the users, which are few.
    if (collectionName !== 'users') recorded.push(command(collectionName));
  };
  const methods = {
    find: (collection, [filter]) => note(collection, (find) => ({ find, filter })),
    distinct: (collection, [key, query]) => note(collection, (distinct) => ({ distinct, key, query })),
  };
  await during(Collection.prototype, methods, request);
  return recorded;
}

/** The documents and keys examined by a recorded command. */
export async function explainLookup(db, command) {
  const { queryPlanner, executionStats } = await db.command({ explain: command, verbosity: 'executionStats' });
  return { ...summary(stages(queryPlanner.winningPlan), executionStats), blocking: false };
}
