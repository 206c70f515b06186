/** How the database answers: what the explain output of a pipeline comes to. */

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
  const names = all.map(({ stage }) => stage);
  const sortsLater = (explained.stages ?? []).some((stage) => '$sort' in stage);
  return {
    index: [...new Set(all.map(({ indexName }) => indexName).filter(Boolean))].join(' + ') || '-',
    keys: stats?.totalKeysExamined ?? 0,
    docs: stats?.totalDocsExamined ?? 0,
    rows: stats?.nReturned ?? 0,
    blocking: names.includes('SORT') || sortsLater,
    merged: names.includes('SORT_MERGE'),
    collscan: names.includes('COLLSCAN'),
  };
}

/** Whether a pipeline that was noted counts: every other one is cut to a page. */
export const isCount = ({ pipeline }) => !pipeline.some((stage) => '$limit' in stage);

/** Notes the pipelines that a request makes the store run. */
export async function recordPipelines(store, request) {
  const original = store.aggregate;
  const recorded = [];
  store.aggregate = (collection, pipeline) => {
    recorded.push({ collection, pipeline });
    return original.call(store, collection, pipeline);
  };
  try {
    await request();
  } finally {
    delete store.aggregate;
  }
  return recorded;
}
