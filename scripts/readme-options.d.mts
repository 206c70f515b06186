import type { Option } from '../src/config.js';

export function optionsTable(options: readonly Option<string>[]): string;
export function tableIn(readme: string): string | undefined;
export function withTable(readme: string, table: string): string;
