/** Faults that the page offers, by their names there. */
export const PRESETS: Record<string, object>;

export interface ExplorerPage {
  /** What the page said each time it asked for the token. */
  asked: string[];
  text(selector: string): string;
  click(selector: string): Promise<void>;
  change(selector: string, value: string | boolean): Promise<void>;
  send(selector: string, fields: Record<string, string>): Promise<void>;
  requests(): string[];
  count(selector: string): number;
  refresh(): Promise<void>;
  violations(): Promise<string[]>;
  end(): void;
}

export function openPage(url: string, tokens: readonly string[]): Promise<ExplorerPage>;
