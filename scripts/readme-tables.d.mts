interface ShownOption {
  flag: string;
  env?: string;
  value?: string;
  help: string;
  default?: unknown;
}

export function optionsTable(options: readonly ShownOption[]): string;
export function quirksTable(quirks: Record<string, { off: string; on: string }>): string;
export function tableIn(readme: string, name: 'options' | 'quirks'): string | undefined;
export function withTable(readme: string, name: 'options' | 'quirks', table: string): string;
export const TABLE_FILES: Record<'options' | 'quirks', string>;
