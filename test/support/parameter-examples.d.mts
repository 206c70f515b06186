/** Moves the examples of optional parameters of an OpenAPI document into their descriptions. */
export function withExamplesDescribed(doc: object): object;
