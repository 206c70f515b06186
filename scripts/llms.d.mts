export const LLMS_FILE: string;
export function llmsPage(): string;
