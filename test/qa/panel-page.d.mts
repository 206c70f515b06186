/** Fault presets of the page, by name. */
export const PRESETS: Record<string, object>;
export const QUICK: Record<string, object>;

/** The page's state of the server. */
export class Model {
  constructor(window: object, api: { call: (method: string, path: string) => Promise<unknown> });
  state: object | null;
  entries: { id: number }[];
  readJournal(): Promise<void>;
}

export interface PanelPage {
  /** Messages with which the page requested the token. */
  asked: string[];
  text(selector: string): string;
  click(selector: string): Promise<void>;
  change(selector: string, value: string | boolean): Promise<void>;
  /** Types into a field. */
  type(selector: string, text: string): Promise<void>;
  /** Presses a key in an element. */
  press(selector: string, key: string): Promise<void>;
  /** Chooses files in a field. */
  choose(selector: string, files: { name: string; text: string }[]): Promise<void>;
  /** Opens a collapsible element. */
  open(selector: string): Promise<void>;
  value(selector: string): string;
  /** Why a field is invalid, or ''. */
  validity(selector: string): string;
  /** ID or name of the element with the focus. */
  focused(): string;
  /** The query string of the address. */
  query(): string;
  send(selector: string, fields: Record<string, string>): Promise<void>;
  requests(): string[];
  count(selector: string): number;
  refresh(): Promise<void>;
  violations(): Promise<string[]>;
  end(): void;
}

export function openPage(url: string, tokens: readonly string[]): Promise<PanelPage>;
