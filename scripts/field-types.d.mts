export function fieldTypes(event: object, linked: object): string;
export function fieldSchemas(event: object, linked: object): Record<string, object>;
