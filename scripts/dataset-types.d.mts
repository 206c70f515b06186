export function datasetTypes(schema: object): string;
