/** @param {unknown} example */
const written = (example) => (Array.isArray(example) ? example.join(',') : String(example));

/**
 * Moves the examples of optional parameters into their descriptions. Swagger UI fills in what has an example, and "Try it out" would send
 * every filter of a list.
 * @param {Record<string, any>} doc an OpenAPI document
 */
export function withExamplesDescribed(doc) {
  const copy = structuredClone(doc);
  const operations = Object.values(copy.paths).flatMap((path) => Object.values(path));
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters) {
      if (parameter.required || parameter.example === undefined) continue;
      parameter.description += ` Example: \`${written(parameter.example)}\``;
      delete parameter.example;
    }
  }
  return copy;
}

/** A plugin for Swagger UI. */
export const describedExamples = () => ({
  statePlugins: { spec: { wrapActions: { updateJsonSpec: (original) => (doc) => original(withExamplesDescribed(doc)) } } },
});
