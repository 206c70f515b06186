interface ShownOption {
  flag: string;
  env?: string | undefined;
  value?: string;
  help: string;
  default?: unknown;
  name: string;
}

type TableName = 'options' | 'quirks' | 'versions' | 'wordpress' | 'settings';

export function optionsTable(options: readonly ShownOption[], groups: Readonly<Record<string, readonly string[]>>): string;

interface ShownQuirk {
  off: string;
  on: string;
  kind: string;
  of: string;
  since?: string;
  until?: string;
}

export function quirksTable(quirks: Record<string, ShownQuirk>): string;
export function versionsTable(quirks: Record<string, ShownQuirk>, product: string): string;
export function settingsTable(settings: object): string;
export function tableIn(readme: string, name: string): string | undefined;
export function withTable(readme: string, name: string, table: string): string;
export const TABLE_FILES: Record<TableName, string>;
