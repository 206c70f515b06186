export function fieldTypes(event: object, linked: object): string;
